import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorBody } from '../../src/rest/error-pages.ts';
import { openApiOf } from '../../src/rest/openapi.ts';
import { schema } from '../../src/schema.ts';
import { errorCodes, operations } from '../support/contract.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Pages to which `doc_url` in error responses links.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const addressOf = (code: string): string => `${t.url}/docs/api-reference/2026-08-27/errors/${code}.md`;

test('the documentation contains a page for each of the 83 error codes', () => {
  expect(errorCodes).toHaveLength(83);
});

test.each(errorCodes.map(({ code, type, status }) => [code, type, status] as const))(
  '%s has a page with its meaning, remedy, and operations',
  async (code, type, status) => {
    const response = await fetch(addressOf(code));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ]);
    const parts =
      /^# (?<title>\w+)\n\n(?<meaning>.{20,})\n\n- Type: `(?<type>\w+)`\n- HTTP status: (?<status>\d+)\n\n## What to do\n\n(?<remedy>.{15,})\n\n## Operations\n\n(?<places>[\s\S]{20,})\n$/;
    expect(parts.exec(await response.text())?.groups).toMatchObject({
      title: code,
      type,
      status: String(status),
    });
  },
);

test('an error page lists the operations that can return the error', () => {
  const document = openApiOf(schema, 'https://billing.example');
  const page = errorBody(document, 'customer_not_found');
  const offered = operations.filter(
    ({ path, method }) => document.paths[path]?.[method.toLowerCase()] !== undefined,
  );
  const documented = offered.filter(({ errors }) => errors.some(({ code }) => code === 'customer_not_found'));
  const listed = [...page.matchAll(/^- `([A-Z]+ \/\S+)`$/gm)].map(([, name]) => name);
  // Operations on lots, corrections, totals, automatic top-ups, limits, budgets, and invoices with line items aren't in the contract.
  const isOther =
    /\/(lots|corrections|totals|auto-top-up|resume|holds|limits|plan-limits|limit-crossings|raises|budgets|\{id\}\/invoices|\{key\}|\{raiseId\})$|\/limits\/\{id\}$|\/usage\/(batch$|holds\/)/;
  expect(listed.filter((name) => !isOther.test(name ?? '')).sort()).toEqual(
    documented.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  expect(documented.length).toBeGreaterThan(3);
  expect(errorBody(document, 'unauthorized')).toContain('Every operation can return this error.');
  expect(errorBody(document, 'market_group_in_use')).toContain('No operation of this version');
});

describe('the doc_url in an error response', () => {
  const rejected: readonly (readonly [string, () => Promise<string>])[] = [
    [
      'from REST',
      async () => (await t.rest<{ error: { doc_url: string } }>('GET', '/customers/none')).body.error.doc_url,
    ],
    [
      'from an unknown route',
      async () => (await t.rest<{ error: { doc_url: string } }>('GET', '/none')).body.error.doc_url,
    ],
    [
      'from GraphQL',
      async () =>
        String((await t.graphqlFailure('{ customer(id: "none") { id } }')).errors[0]?.extensions['doc_url']),
    ],
    [
      'from a path outside the API',
      async () =>
        ((await (await fetch(`${t.url}/nowhere`)).json()) as { error: { doc_url: string } }).error.doc_url,
    ],
  ];

  test.each(rejected)("leads to the error code's page: %s", async (_name, ask) => {
    const response = await fetch(await ask());
    expect([response.status, (await response.text()).startsWith('# ')]).toEqual([200, true]);
  });
});

test('a URL without a valid error code has no page', async () => {
  for (const path of [
    '2026-08-27/errors/toString.md',
    'now/errors/duplicate.md',
    '2026-08-27/errors/duplicate',
  ]) {
    const response = await fetch(`${t.url}/docs/api-reference/${path}`);
    expect([path, response.status]).toEqual([path, 404]);
  }
  expect((await fetch(`${t.url}/docs/api-reference/2020-01-01/errors/duplicate.md`)).status).toBe(200);
});
