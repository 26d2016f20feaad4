import type { GraphQLSchema } from 'graphql';
import { currentVersion } from '../context.ts';
import { curlOf, parameterExample, requestExampleOf } from './curl.ts';
import { streamOperation } from './export-stream-docs.ts';
import type { JsonSchema } from './json-schema.ts';
import { Examples } from './openapi-examples.ts';
import type { OpenApiOperation } from './openapi-operation.ts';
import { isRequired, parameterOf } from './openapi-parameters.ts';
import { errorSchema, headers, json, type Kit, responsesOf } from './openapi-responses.ts';
import { objectOf, Schemas } from './openapi-schemas.ts';
import { tagDescriptions } from './openapi-tags.ts';
import { type Route, type RouteInput, routesOf } from './routes.ts';

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly tags: readonly JsonSchema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: JsonSchema;
};

const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (notification) => `-${notification.toLowerCase()}`);

const sharedParameters: Readonly<Record<string, JsonSchema>> = {
  ServiceVersion: {
    name: 'Service-Version',
    in: 'header',
    required: false,
    description:
      'Selects a version of the interface; a version that does not exist counts as the current one.',
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', default: currentVersion },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A retry with the same key within 24 hours answers the same again and is not applied twice.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  OpenIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Stands in for a key: for 24 hours the same value answers the same again and is not applied twice.',
    schema: { type: 'string', format: 'uuid' },
  },
};

/** The shared parameters a route takes. Where no API key tells callers apart, the idempotency key must be sent (PLT-15). */
function sharedOf({ access, isIdempotent }: Route): string[] {
  if ('isKeyed' in access) return ['ServiceVersion', 'OpenIdempotencyKey'];
  return isIdempotent ? ['ServiceVersion', 'IdempotencyKey'] : ['ServiceVersion'];
}

const securitySchemes: Readonly<Record<string, JsonSchema>> = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'One key belongs to one organization and mode.',
  },
  pageToken: { type: 'http', scheme: 'bearer', description: 'The token in the address of a hosted page.' },
};

/** An input of a route in its path or query. */
function routeParameter(schemas: Schemas, route: Route, input: RouteInput): JsonSchema {
  // Lists that answer everything to a caller that never pages promise no default.
  const hasDefault =
    route.shape === 'page' && input.name === 'limit' && (route.rest.defaultLimit ?? 25) === 25;
  return parameterOf(schemas, input, parameterExample(route, input), hasDefault ? { default: 25 } : {});
}

/** The body of a route, or null where it takes none. */
function bodyOf({ schemas, examples }: Kit, route: Route): JsonSchema | null {
  const inputs = route.inputs.filter((input) => input.place === 'body');
  if (inputs.length === 0) return null;
  const content = (schema: JsonSchema): JsonSchema =>
    json(schema, requestExampleOf(route).body ?? examples.body(schema));
  if (route.wholeBody !== null) {
    return {
      required: isRequired(route.wholeBody),
      content: content(schemas.input(route.wholeBody.definition)),
    };
  }
  const members = inputs.map((input) => ({
    name: input.name,
    schema: schemas.input(input.definition),
    isRequired: isRequired(input),
  }));
  return { required: members.some((member) => member.isRequired), content: content(objectOf(members)) };
}

const serverOf = (publicUrl: string): string => `${publicUrl}/api/v1`;

/** A retired route answers 410 to everybody, so that clients have nothing to call. */
const isRetired = ({ rest }: Route): boolean => rest.status === 410;

function operationObject(kit: Kit, route: Route): OpenApiOperation {
  const { access, field } = route;
  const body = bodyOf(kit, route);
  const description = field.description ?? '';
  const needs =
    'scope' in access
      ? `Needs the scope \`${access.scope}\`.`
      : 'page' in access
        ? 'Needs the token of the page.'
        : 'Open to anybody.';
  return {
    operationId: kebab(field.name),
    summary: description.split(/(?<=\.) /)[0] ?? '',
    description: `${description} ${needs}`.trim(),
    tags: [route.segments[0] ?? ''],
    parameters: [
      ...route.inputs
        .filter((input) => input.place !== 'body')
        .map((input) => routeParameter(kit.schemas, route, input)),
      ...sharedOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body === null ? {} : { requestBody: body }),
    responses: responsesOf(kit, route),
    security: 'scope' in access ? [{ apiKey: [] }] : 'page' in access ? [{ pageToken: [] }] : [],
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(route, serverOf(kit.publicUrl)) }],
  };
}

function tagOf(name: string): JsonSchema {
  const description = tagDescriptions[name];
  if (description === undefined) throw new Error(`The tag ${name} has no description.`);
  return { name, description };
}

const retiredSentence = (routes: readonly Route[]): string =>
  `Retired, and answered with 410: ${routes.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}.`;

/** The OpenAPI document of a schema's routes; `publicUrl` is the origin clients reach the service at. */
export function openApiOf(schema: GraphQLSchema, publicUrl: string): OpenApiDocument {
  const schemas = new Schemas(schema);
  schemas.components['Error'] = errorSchema;
  const kit: Kit = { schemas, examples: new Examples(schemas.components), publicUrl };
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const routes = routesOf(schema);
  for (const route of routes) {
    if (isRetired(route)) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationObject(kit, route) };
  }
  paths['/exports/stream'] = { get: streamOperation(kit, schema, serverOf(publicUrl)) };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const used = new Set(
    operations.flatMap(({ security }) => security.flatMap((needed) => Object.keys(needed))),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quittance',
      version: currentVersion,
      contact: { name: 'Anyone who runs this service', url: publicUrl },
      license: { name: 'Unlicensed', url: publicUrl },
      description: `Billing and payments for SaaS and AI products. The same resources, with their relations, are served at /graphql. ${retiredSentence(routes.filter(isRetired))}`,
    },
    servers: [{ url: serverOf(publicUrl) }],
    tags: [...new Set(operations.flatMap(({ tags }) => tags))].map((name) => tagOf(name)),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: sharedParameters,
      headers,
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name))),
    },
  };
}
