import type { JsonSchema } from '../rest/json-schema.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import type { OpenApiOperation } from '../rest/openapi-operation.ts';
import { blocks, codeBlock, firstSentence, inline, jsonBlock, table } from './markdown.ts';
import { addressOf, type SitePage } from './page.ts';
import { componentsOf, propertiesTable, typeText } from './rest-objects.ts';

// Sections about REST routes, and pages of routes that have no GraphQL field.

const contentOf = (
  holder: JsonSchema | undefined,
): { readonly schema: JsonSchema; readonly example: unknown } | null => {
  const content = holder?.['content'] as
    | { 'application/json'?: { schema: JsonSchema; example: unknown } }
    | undefined;
  return content?.['application/json'] ?? null;
};

function parametersTable(operation: OpenApiOperation): string {
  const own = operation.parameters.filter((parameter) => parameter['$ref'] === undefined);
  return table(
    ['Parameter', 'In', 'Type', 'Presence', 'Description'],
    own.map((parameter) => [
      inline(String(parameter['name'])),
      String(parameter['in']),
      typeText(parameter['schema'] as JsonSchema),
      parameter['required'] === true ? 'required' : 'optional',
      String(parameter['description'] ?? ''),
    ]),
  );
}

/** Returns the media types of a response that isn't JSON, with an example of each text. */
function filesOf(response: JsonSchema | undefined): string {
  const content = (response?.['content'] ?? {}) as Readonly<Record<string, { readonly example?: unknown }>>;
  const types = Object.entries(content).filter(([type]) => type !== 'application/json');
  return blocks(
    ...types.map(([type, { example }]) =>
      blocks(inline(type), typeof example === 'string' ? codeBlock('text', example.trim()) : ''),
    ),
  );
}

/** Returns the section about a REST route: address, example, parameters, body, and response. */
export function restSection(
  document: OpenApiDocument,
  route: { readonly method: string; readonly path: string },
  operation: OpenApiOperation,
): string {
  const components = componentsOf(document);
  const body = contentOf(operation.requestBody);
  const [status, response] = Object.entries(operation.responses).find(([code]) => Number(code) < 300) ?? [];
  const success = contentOf(response);
  const [curl] = operation['x-codeSamples'];
  return blocks(
    '## REST',
    `${inline(`${route.method} /api/v1${route.path}`)}`,
    codeBlock('sh', curl?.source ?? ''),
    parametersTable(operation),
    body === null ? '' : '### Body',
    body === null ? '' : propertiesTable(components, body.schema),
    `### Response ${status}`,
    success === null ? '' : typeText(success.schema),
    success === null ? filesOf(response) : jsonBlock(success.example),
  );
}

/** Returns a page for each route that has no GraphQL field, such as a stream. `served` contains the paths of the other routes. */
export const restOnlyPages = (document: OpenApiDocument, served: ReadonlySet<string>): readonly SitePage[] =>
  Object.entries(document.paths)
    .filter(([path]) => !served.has(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): SitePage => {
        const [tag = ''] = operation.tags;
        const address = { method: method.toUpperCase(), path };
        return {
          path: `reference/${tag}/${operation.operationId}`,
          title: `${address.method} ${path}`,
          description: firstSentence(operation.description),
          section: 'Reference',
          body: () =>
            blocks(
              `[Reference](${addressOf('reference')}) › [${tag}](${addressOf(`reference/${tag}`)})`,
              operation.description,
              restSection(document, address, operation),
            ),
        };
      }),
    );
