import { currentVersion } from '../context.ts';
import { type ErrorCode, errorCodes } from '../domain/errors.ts';
import { docUrl } from '../graphql/errors.ts';
import { isNullOnlyOnError } from '../graphql/nullability.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Examples } from './openapi-examples.ts';
import { objectOf, type Schemas } from './openapi-schemas.ts';
import { codesOf, statusOfCode } from './operation.ts';
import type { Route } from './routes.ts';

const header = (description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({
  description,
  schema,
});

/** The headers answers can carry, components of their names. */
export const headers: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': header('Made by the server for every answer; found again in its log.', {
    type: 'string',
    format: 'uuid',
  }),
  'RateLimit-Limit': header('Requests allowed in the window of 60 seconds.'),
  'RateLimit-Remaining': header('Requests left in the window.'),
  'RateLimit-Reset': header('Whole seconds until the window ends.'),
  'Retry-After': header('Whole seconds to wait, at least 1.'),
  'X-Export-Snapshot': header(
    'Names the rows there are; sent as `snapshot` it gives a later stream the same ones.',
  ),
  'X-Export-Rows': header('A trailer: how many rows there were.'),
  'X-Export-Cursor': header('A trailer: where a later stream goes on, sent as `after`. Empty for a series.'),
};

/** The headers that tell where the window of the caller stands. */
const windowHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

const headerRefs = (...names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of a success. */
export const successHeaders = (...more: readonly string[]): JsonSchema =>
  headerRefs('X-Request-Id', ...windowHeaders, ...more);

/** The envelope of every rejection (PLT-70). */
export const errorSchema: JsonSchema = objectOf([
  {
    name: 'error',
    isRequired: true,
    schema: objectOf([
      {
        name: 'type',
        isRequired: true,
        schema: { type: 'string', enum: [...new Set(Object.values(errorCodes).map(({ type }) => type))] },
      },
      { name: 'code', isRequired: true, schema: { type: 'string', enum: Object.keys(errorCodes) } },
      {
        name: 'message',
        isRequired: true,
        schema: { type: 'string', description: 'A sentence for people.' },
      },
      { name: 'param', isRequired: false, schema: { type: 'string', description: 'The input at fault.' } },
      {
        name: 'details',
        isRequired: false,
        schema: {
          description:
            'Facts for programs; for `validation_error` a list of `{field, message}`, one for each violation.',
        },
      },
      { name: 'doc_url', isRequired: true, schema: { type: 'string', format: 'uri' } },
    ]),
  },
]);

/** A JSON body with its schema and an example of it. */
export const json = (schema: JsonSchema, example: unknown): JsonSchema => ({
  'application/json': { schema, example },
});

/** What the document's parts are made with. */
export type Kit = { readonly schemas: Schemas; readonly examples: Examples; readonly publicUrl: string };

/** A rejection with a code, as its page describes it. */
function errorExample({ publicUrl }: Kit, code: ErrorCode): JsonSchema {
  const { type, meaning } = errorCodes[code];
  return {
    error: { type, code, message: meaning, doc_url: docUrl({ publicUrl, version: currentVersion }, code) },
  };
}

function successSchema(schemas: Schemas, route: Route): JsonSchema {
  const shown = schemas.view(route.view);
  if (route.shape === 'object')
    return isNullOnlyOnError(route.field) ? shown : { anyOf: [shown, { type: 'null' }] };
  const name = `${route.view.name}${route.shape === 'page' ? 'List' : 'Result'}`;
  schemas.components[name] = objectOf([
    { name: 'object', isRequired: true, schema: { const: 'list' } },
    { name: 'data', isRequired: true, schema: { type: 'array', items: shown } },
    { name: 'hasMore', isRequired: true, schema: { type: 'boolean' } },
    ...(route.shape === 'page'
      ? [
          {
            name: 'nextCursor',
            isRequired: false,
            schema: { type: 'string', description: 'Absent when `hasMore` is false.' },
          },
        ]
      : []),
  ]);
  return { $ref: `#/components/schemas/${name}` };
}

/** What a route can answer, by status: success, and each rejection with the codes it can have. */
export function responsesOf(kit: Kit, route: Route): Record<string, JsonSchema> {
  const { status = 200 } = route.rest;
  const shown = successSchema(kit.schemas, route);
  const success = {
    description: 'Success.',
    headers: successHeaders(),
    content: json(shown, kit.examples.answer(shown)),
  };
  // A status that depends on the result tells what was created (201) from what was there before (200).
  const responses: Record<string, JsonSchema> =
    typeof status === 'number'
      ? { [status]: success }
      : { 200: { ...success, description: 'It existed.' }, 201: { ...success, description: 'Created.' } };
  return { ...responses, ...failuresOf(kit, codesOf(route)) };
}

/** Rejections by status, with the codes each can have. */
export function failuresOf(kit: Kit, all: readonly string[]): Record<string, JsonSchema> {
  const responses: Record<string, JsonSchema> = {};
  for (const [failed, codes] of Map.groupBy(all, statusOfCode)) {
    responses[failed] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers:
        failed === 429
          ? headerRefs('X-Request-Id', ...windowHeaders, 'Retry-After')
          : headerRefs('X-Request-Id'),
      content: json(
        { $ref: '#/components/schemas/Error' },
        errorExample(kit, (codes[0] ?? 'internal_error') as ErrorCode),
      ),
      'x-codes': codes,
    };
  }
  return responses;
}
