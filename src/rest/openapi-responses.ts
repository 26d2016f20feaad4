import { type ErrorCode, errorCodes } from '../domain/errors/errors.ts';
import { docUrl } from '../graphql/declare/errors.ts';
import { isNullOnlyOnError } from '../graphql/declare/nullability.ts';
import { currentVersion } from '../request/context.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Examples } from './openapi-examples.ts';
import { objectOf, type Schemas } from './openapi-schemas.ts';
import { codesOf, statusOfCode } from './operation.ts';
import type { Route } from './routes.ts';

const header = (description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({
  description,
  schema,
});

/** Response headers, as named components of the OpenAPI document. */
export const headers: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': header('ID of the request, also contained in the logs.', {
    type: 'string',
    format: 'uuid',
  }),
  'RateLimit-Limit': header('Maximum number of requests in the 60-second window.'),
  'RateLimit-Remaining': header('Number of requests remaining in the window.'),
  'RateLimit-Reset': header('Seconds until the window ends.'),
  'Retry-After': header('Seconds to wait before a retry. At least 1.'),
  'X-Export-Snapshot': header(
    'Snapshot of the exported rows. Send it as `snapshot` to export the same rows later.',
  ),
  'X-Export-Rows': header('Trailer with the number of rows.'),
  'X-Export-Cursor': header(
    'Trailer with the cursor of the last row. Send it as `after` to continue later. Empty for a series.',
  ),
};

const windowHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

const headerRefs = (...names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const successHeaders = (...more: readonly string[]): JsonSchema =>
  headerRefs('X-Request-Id', ...windowHeaders, ...more);

/** Schema of the error envelope (PLT-70). */
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
        schema: { type: 'string', description: 'Human-readable message.' },
      },
      { name: 'param', isRequired: false, schema: { type: 'string', description: 'First invalid input.' } },
      {
        name: 'details',
        isRequired: false,
        schema: {
          description:
            'Machine-readable details. For `validation_error`, a list with a `{field, message}` for each violation.',
        },
      },
      { name: 'doc_url', isRequired: true, schema: { type: 'string', format: 'uri' } },
    ]),
  },
]);

/** Returns JSON content with a schema and an example. */
export const json = (schema: JsonSchema, example: unknown): JsonSchema => ({
  'application/json': { schema, example },
});

/** Dependencies of the OpenAPI generators. */
export type Kit = { readonly schemas: Schemas; readonly examples: Examples; readonly publicUrl: string };

/** Returns an example error response. The message matches the error code's documentation page. */
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
            schema: {
              type: 'string',
              description: 'Cursor of the next page. Absent if `hasMore` is `false`.',
            },
          },
        ]
      : []),
  ]);
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns a route's responses by status: the success response, and errors with their possible codes. */
export function responsesOf(kit: Kit, route: Route): Record<string, JsonSchema> {
  const { status = 200 } = route.rest;
  const shown = successSchema(kit.schemas, route);
  const success = {
    description: 'Success.',
    headers: successHeaders(),
    content: json(shown, kit.examples.answer(shown)),
  };
  // If the status depends on the result, status 201 means that the object was created, and status 200 means that the object already
  // existed.
  const responses: Record<string, JsonSchema> =
    typeof status === 'number'
      ? { [status]: success }
      : {
          200: { ...success, description: 'The object already existed.' },
          201: { ...success, description: 'Created.' },
        };
  return { ...responses, ...failuresOf(kit, codesOf(route)) };
}

/** Returns error responses by status, each with its possible codes. */
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
