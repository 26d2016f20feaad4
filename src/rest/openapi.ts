import type { GraphQLSchema } from 'graphql';
import { proofSentence, scopeSentences } from '../graphql/declare/access.ts';
import { currentVersion } from '../request/context.ts';
import { clientName } from './client-names.ts';
import { curlOf, parameterExample, requestExampleOf } from './curl.ts';
import { streamOperation } from './export-stream-docs.ts';
import type { JsonSchema } from './json-schema.ts';
import { Examples } from './openapi-examples.ts';
import type { OpenApiOperation } from './openapi-operation.ts';
import { isRequired, parameterOf } from './openapi-parameters.ts';
import { errorSchema, headers, json, type Kit, responsesOf } from './openapi-responses.ts';
import { objectOf, Schemas } from './openapi-schemas.ts';
import { tagDescriptions } from './openapi-tags.ts';
import { webhooksOf } from './openapi-webhooks.ts';
import { type Route, type RouteInput, routesOf } from './routes.ts';

export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly tags: readonly JsonSchema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, JsonSchema>>;
  readonly components: JsonSchema;
};

const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (notification) => `-${notification.toLowerCase()}`);

const sharedParameters: Readonly<Record<string, JsonSchema>> = {
  ServiceVersion: {
    name: 'Service-Version',
    in: 'header',
    required: false,
    description: 'API version. An unknown version is treated as the current version.',
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', default: currentVersion },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A retry with the same key within 24 hours returns the same response and is not executed again.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  Approval: {
    name: 'X-Quittance-Approval',
    in: 'header',
    required: false,
    description:
      'ID of the approval of the call, from an earlier error with the reason `approval_required`. If omitted, the call uses an approval of the same call. Only for API keys with a policy.',
    schema: { type: 'string' },
  },
  DryRun: {
    name: 'X-Quittance-Dry-Run',
    in: 'header',
    required: false,
    description:
      '`1` to return the response without making any change. The response also contains `dryRun` with the events and payments of the operation. `previewHash` identifies the call with its effects. `isSimulated` is `false` if only the access and the input were checked.',
    schema: { type: 'string', const: '1' },
  },
  OpenIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Required instead of an API key. A retry with the same value within 24 hours returns the same response and is not executed again.',
    schema: { type: 'string', format: 'uuid' },
  },
};

/**
 * Returns the names of a route's common parameters. Public operations require an idempotency key, because no API key identifies the caller (PLT-15).
 */
function sharedOf({ access, isIdempotent, kind }: Route): string[] {
  if ('isKeyed' in access) return ['ServiceVersion', 'OpenIdempotencyKey'];
  return [
    'ServiceVersion',
    ...(isIdempotent ? ['IdempotencyKey'] : []),
    ...(kind === 'mutation' ? ['DryRun'] : []),
    ...(kind === 'mutation' && 'scope' in access ? ['Approval'] : []),
  ];
}

const securitySchemes: Readonly<Record<string, JsonSchema>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'quittance.session_token',
    description: 'Session of a signed-in member. Requests also need the header `x-quittance-csrf: 1`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'API key of an organization in one environment.',
  },
  pageToken: { type: 'http', scheme: 'bearer', description: 'Token in the URL of a hosted page.' },
};

/** Returns the OpenAPI parameter for a path or query input. */
function routeParameter(schemas: Schemas, route: Route, input: RouteInput): JsonSchema {
  // Omits the default limit of these lists, because callers that don't paginate get all items.
  const hasDefault =
    route.shape === 'page' && input.name === 'limit' && (route.rest.defaultLimit ?? 25) === 25;
  return parameterOf(schemas, input, parameterExample(route, input), hasDefault ? { default: 25 } : {});
}

/** Returns the request body of a route. `null` if the route doesn't accept a body. */
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

/** True for a removed route, which always returns 410 and isn't documented. */
const isRetired = ({ rest }: Route): boolean => rest.status === 410;

/** Returns the name of the operation in the TypeScript client, in the extensions that generators of clients read. */
function generatorNames(route: Route) {
  const { namespace, method } = clientName(route);
  return {
    'x-speakeasy-group': namespace,
    'x-speakeasy-name-override': method,
    'x-fern-sdk-group-name': [namespace],
    'x-fern-sdk-method-name': method,
  };
}

function operationObject(kit: Kit, route: Route): OpenApiOperation {
  const { access, field } = route;
  const body = bodyOf(kit, route);
  const description = field.description ?? '';
  const needs =
    'scope' in access
      ? scopeSentences(access)
      : 'page' in access
        ? 'Requires the token of the page.'
        : 'member' in access
          ? `Only for signed-in members${access.member === 'any' ? '' : ` with the role \`${access.member}\``}, not for API keys.${access.proof === true ? proofSentence : ''}`
          : 'Public.';
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
    security:
      'scope' in access
        ? [{ apiKey: [] }]
        : 'page' in access
          ? [{ pageToken: [] }]
          : 'member' in access
            ? [{ session: [] }]
            : [],
    ...generatorNames(route),
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(route, serverOf(kit.publicUrl)) }],
  };
}

function tagOf(name: string): JsonSchema {
  const description = tagDescriptions[name];
  if (description === undefined) throw new Error(`The tag ${name} has no description.`);
  return { name, description };
}

const retiredSentence = (routes: readonly Route[]): string =>
  `Removed routes that return 410: ${routes.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}.`;

/** Returns the OpenAPI document for all REST routes in a schema. `publicUrl` is the public origin of the service. */
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
  const webhooks = webhooksOf(schema, schemas);
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
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: sharedParameters,
      headers,
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name))),
    },
  };
}
