import { type GraphQLSchema, isNonNullType } from 'graphql';
import { currentVersion } from '../context.ts';
import { errorCodes } from '../domain/errors.ts';
import { type JsonSchema, objectOf, Schemas } from './openapi-schemas.ts';
import { codesOf, statusOfCode } from './operation.ts';
import { type Route, type RouteInput, routesOf } from './routes.ts';

/** One operation of the document, as far as our own pages read it. */
export type OpenApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: readonly JsonSchema[];
};

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: JsonSchema;
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const header = (description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({ description, schema });

const headers: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': header('Made by the server for every answer; found again in its log.', { type: 'string', format: 'uuid' }),
  'RateLimit-Limit': header('Requests allowed in the window of 60 seconds.'),
  'RateLimit-Remaining': header('Requests left in the window.'),
  'RateLimit-Reset': header('Whole seconds until the window ends.'),
  'Retry-After': header('Whole seconds to wait, at least 1.'),
};

const headerRefs = (...names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const sharedParameters: Readonly<Record<string, JsonSchema>> = {
  ServiceVersion: {
    name: 'Service-Version',
    in: 'header',
    required: false,
    description: 'Selects a version of the interface; a version that does not exist counts as the current one.',
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', default: currentVersion },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A retry with the same key within 24 hours answers the same again and is not applied twice.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
};

const errorSchema: JsonSchema = objectOf([
  {
    name: 'error',
    isRequired: true,
    schema: objectOf([
      { name: 'type', isRequired: true, schema: { type: 'string', enum: [...new Set(Object.values(errorCodes).map(({ type }) => type))] } },
      { name: 'code', isRequired: true, schema: { type: 'string', enum: Object.keys(errorCodes) } },
      { name: 'message', isRequired: true, schema: { type: 'string', description: 'A sentence for people.' } },
      { name: 'param', isRequired: false, schema: { type: 'string', description: 'The input at fault.' } },
      {
        name: 'details',
        isRequired: false,
        schema: { description: 'Facts for programs; for `validation_error` a list of `{field, message}`, one for each offence.' },
      },
      { name: 'doc_url', isRequired: true, schema: { type: 'string', format: 'uri' } },
    ]),
  },
]);

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const isRequired = (input: RouteInput): boolean => isNonNullType(input.definition.type) && input.definition.defaultValue === undefined;

function parameterOf(schemas: Schemas, route: Route, input: RouteInput): JsonSchema {
  const { description, ...schema } = schemas.input(input.definition);
  // Lists that answer everything to a caller that never pages promise no default (protocols C6, C8).
  const hasDefault = route.shape === 'page' && input.name === 'limit' && (route.rest.defaultLimit ?? 25) === 25;
  return {
    name: input.name,
    in: input.place,
    required: input.place === 'path' || isRequired(input),
    ...(description === undefined ? {} : { description }),
    schema: hasDefault ? { ...schema, default: 25 } : schema,
  };
}

/** The body of a route, or null where it takes none. */
function bodyOf(schemas: Schemas, route: Route): JsonSchema | null {
  const inputs = route.inputs.filter((input) => input.place === 'body');
  if (inputs.length === 0) return null;
  if (route.wholeBody !== null) return { required: isRequired(route.wholeBody), content: json(schemas.input(route.wholeBody.definition)) };
  const members = inputs.map((input) => ({
    name: input.name,
    schema: schemas.input(input.definition),
    isRequired: isRequired(input),
  }));
  return { required: members.some((member) => member.isRequired), content: json(objectOf(members)) };
}

function successSchema(schemas: Schemas, route: Route): JsonSchema {
  const shown = schemas.view(route.view);
  if (route.shape === 'object') return isNonNullType(route.field.type) ? shown : { anyOf: [shown, { type: 'null' }] };
  const name = `${route.view.name}${route.shape === 'page' ? 'List' : 'Result'}`;
  schemas.components[name] = objectOf([
    { name: 'object', isRequired: true, schema: { const: 'list' } },
    { name: 'data', isRequired: true, schema: { type: 'array', items: shown } },
    { name: 'hasMore', isRequired: true, schema: { type: 'boolean' } },
    ...(route.shape === 'page'
      ? [{ name: 'nextCursor', isRequired: false, schema: { type: 'string', description: 'Absent when `hasMore` is false.' } }]
      : []),
  ]);
  return { $ref: `#/components/schemas/${name}` };
}

function responsesOf(schemas: Schemas, route: Route): Record<string, JsonSchema> {
  const { status = 200 } = route.rest;
  const success = {
    description: 'Success.',
    headers: route.shape === 'object' ? headerRefs('X-Request-Id') : headerRefs('X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining'),
    content: json(successSchema(schemas, route)),
  };
  // A status that depends on the result tells what was created (201) from what was there before (200).
  const responses: Record<string, JsonSchema> =
    typeof status === 'number'
      ? { [status]: success }
      : { 200: { ...success, description: 'It existed.' }, 201: { ...success, description: 'Created.' } };
  for (const [failed, codes] of Map.groupBy(codesOf(route), statusOfCode)) {
    responses[failed] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers:
        failed === 429
          ? headerRefs('X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After')
          : headerRefs('X-Request-Id'),
      content: json({ $ref: '#/components/schemas/Error' }),
      'x-codes': codes,
    };
  }
  return responses;
}

function operationObject(schemas: Schemas, route: Route): OpenApiOperation {
  const { access, field } = route;
  const body = bodyOf(schemas, route);
  const description = field.description ?? '';
  const needs =
    'scope' in access ? `Needs the scope \`${access.scope}\`.` : 'page' in access ? 'Needs the token of the page.' : 'Open to anybody.';
  const shared = ['ServiceVersion', ...(route.isIdempotent ? ['IdempotencyKey'] : [])];
  return {
    operationId: kebab(field.name),
    summary: description.split(/(?<=\.) /)[0] ?? '',
    description: `${description} ${needs}`.trim(),
    tags: [route.segments[0] ?? ''],
    parameters: [
      ...route.inputs.filter((input) => input.place !== 'body').map((input) => parameterOf(schemas, route, input)),
      ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body === null ? {} : { requestBody: body }),
    responses: responsesOf(schemas, route),
    security: 'scope' in access ? [{ apiKey: [] }] : 'page' in access ? [{ pageToken: [] }] : [],
  };
}

/** The OpenAPI document of a schema's routes; `publicUrl` is the origin clients reach the service at. */
export function openApiOf(schema: GraphQLSchema, publicUrl: string): OpenApiDocument {
  const schemas = new Schemas(schema);
  schemas.components['Error'] = errorSchema;
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routesOf(schema)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationObject(schemas, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quittance',
      version: currentVersion,
      description: 'Billing and payments for SaaS and AI products. The same resources, with their relations, are served at /graphql.',
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: sharedParameters,
      headers,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'One key belongs to one organization and mode.' },
        pageToken: { type: 'http', scheme: 'bearer', description: 'The token in the address of a hosted page.' },
      },
    },
  };
}
