import { type ErrorCode, errorCodes } from '../domain/errors/errors.ts';
import { errorBody } from '../rest/error-pages.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { blocks, inline, table } from './markdown.ts';
import { addressOf, type SitePage } from './page.ts';

const codes = Object.keys(errorCodes) as readonly ErrorCode[];

/** Returns a page for each error code, and an index by HTTP status. */
export function errorPages(document: OpenApiDocument): readonly SitePage[] {
  const byStatus = Map.groupBy(
    codes.toSorted((a, b) => errorCodes[a].status - errorCodes[b].status),
    (code) => errorCodes[code].status,
  );
  const lists = Array.from(byStatus, ([status, members]) =>
    blocks(
      `## ${status}`,
      table(
        ['Code', 'Type', 'Meaning'],
        members.map((code) => [
          `[${inline(code)}](${addressOf(`errors/${code}`)})`,
          inline(errorCodes[code].type),
          errorCodes[code].meaning,
        ]),
      ),
    ),
  );
  return [
    {
      path: 'errors',
      title: 'Errors',
      description: 'Every error code with its meaning and its solution.',
      section: 'Errors',
      body: () =>
        blocks(
          'A failed REST request returns `error` with `type`, `code`, `message`, and `doc_url`. Over GraphQL, `extensions.code` of an error contains the code. A rejected request changes nothing.',
          ...lists,
        ),
    },
    ...codes.map(
      (code): SitePage => ({
        path: `errors/${code}`,
        title: code,
        description: errorCodes[code].meaning,
        section: 'Errors',
        body: () => errorBody(document, code),
      }),
    ),
  ];
}

/**
 * Returns the path of the page at an address of `doc_url` in an error response: `/docs/api-reference/<version>/errors/<code>.md`. `null` if the address has another
 * form. All API versions share the same pages (PLT-63).
 */
export function errorPathAt(address: string): string | null {
  const [, code] = /^\/docs\/api-reference\/\d{4}-\d{2}-\d{2}\/errors\/([a-z_]+)\.md$/.exec(address) ?? [];
  return code === undefined ? null : `errors/${code}`;
}
