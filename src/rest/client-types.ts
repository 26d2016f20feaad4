import type { GraphQLSchema } from 'graphql';
import { errorCodes } from '../domain/errors/errors.ts';
import { eventKinds } from '../domain/events/events.ts';
import { payloadTypeName } from '../domain/events/payloads/payloads.ts';
import { currentVersion } from '../request/context.ts';
import { namedRoutes } from './client-names.ts';
import type { JsonSchema } from './json-schema.ts';
import { openApiOf } from './openapi.ts';
import type { OpenApiOperation } from './openapi-operation.ts';
import { codesOf } from './operation.ts';
import { type Route, routesOf } from './routes.ts';

// Generates the client's table of operations and its types from the routes and the OpenAPI document.

const heading = '// Generated from the REST routes by `npm run schema`.\n';

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const literal = (value: unknown): string => JSON.stringify(value);
const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);

const scalarTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Returns the TypeScript type of a schema. */
function typeOf(schema: JsonSchema): string {
  const { $ref, allOf, oneOf, anyOf, type, properties, items, additionalProperties } = schema as {
    $ref?: string;
    allOf?: readonly JsonSchema[];
    oneOf?: readonly JsonSchema[];
    anyOf?: readonly JsonSchema[];
    type?: string | readonly string[];
    properties?: Readonly<Record<string, JsonSchema>>;
    items?: JsonSchema;
    additionalProperties?: JsonSchema | boolean;
  };
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'unknown';
  if (allOf?.[0] !== undefined) return typeOf(allOf[0]);
  const alternatives = oneOf ?? anyOf;
  if (alternatives !== undefined) return union(alternatives.map(typeOf));
  if (schema['const'] !== undefined) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal));
  if (Array.isArray(type))
    return union(type.map((one: string) => typeOf({ ...schema, type: one, description: '' })));
  if (type === 'array') return `Array<${typeOf(items ?? {})}>`;
  if (properties !== undefined) return objectType(properties, schema['required'] as readonly string[]);
  if (type === 'object')
    return typeof additionalProperties === 'object'
      ? `Record<string, ${typeOf(additionalProperties)}>`
      : 'Record<string, unknown>';
  return scalarTypes[String(type)] ?? 'unknown';
}

/** Returns a comment for an editor. */
const comment = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? `/** ${text.replaceAll('*/', '').replaceAll('\n', ' ')} */ ` : '';

function objectType(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
  hasComments = true,
): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = isName(name) ? name : literal(name);
    // Unset optional inputs can be `undefined`, as in most programs.
    const optional = required.includes(name) ? '' : '?';
    return `${hasComments ? comment(schema['description']) : ''}${key}${optional}: ${typeOf(schema)}${optional === '' ? '' : ' | undefined'}`;
  });
  return `{ ${members.join('; ')} }`;
}

const contentOf = (value: unknown): JsonSchema | null =>
  ((value as { content?: Record<string, { schema: JsonSchema }> } | undefined)?.content?.['application/json']
    ?.schema ?? null) as JsonSchema | null;

/** Returns the type of an operation's input, and whether the input is required. `null` if the operation has no input. */
function inputOf({
  parameters,
  requestBody,
}: OpenApiOperation): { type: string; isRequired: boolean } | null {
  const body = contentOf(requestBody);
  if (body !== null)
    return { type: typeOf(body), isRequired: (requestBody as JsonSchema)['required'] === true };
  const query = parameters.filter((parameter) => parameter['in'] === 'query');
  if (query.length === 0) return null;
  const required = query
    .filter((parameter) => parameter['required'] === true)
    .map(({ name }) => String(name));
  const properties = query.map(({ name, schema, description }) => [
    String(name),
    { ...(schema as JsonSchema), description },
  ]);
  return { type: objectType(Object.fromEntries(properties), required), isRequired: required.length > 0 };
}

/** Returns the type of an operation's result. */
function resultOf({ responses }: OpenApiOperation, { shape, view }: Route): string {
  if (shape === 'page') return `PageRequest<${view.name}>`;
  const [status = '200'] = Object.keys(responses).filter((one) => one.startsWith('2'));
  return `Promise<${typeOf(contentOf(responses[status]) ?? {})}>`;
}

const parametersIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const isWrite = (method: string): boolean => method !== 'GET' && method !== 'DELETE';

/** Returns the client's table of operations: one line with the name, the method, the path, and flags for an input (i) and pages (p). */
export function clientOperations(schema: GraphQLSchema): string {
  const lines = namedRoutes(routesOf(schema)).map(({ namespace, method, route }) => {
    const hasInput = isWrite(route.method) || route.inputs.some(({ place }) => place !== 'path');
    const flags = `${hasInput ? 'i' : ''}${route.shape === 'page' ? 'p' : ''}`;
    return `${namespace}.${method} ${route.method} ${route.path} ${flags}`.trim();
  });
  const objects = eventKinds
    .map((kind) => kind.slice(0, kind.indexOf('.')))
    .filter((one) => one.includes('_'));
  const eventObjects = [...new Set(objects)].map((one) => `  '${one}',\n`).join('');
  return `${heading}\n/** API version of the client. */\nexport const apiVersion = '${currentVersion}';\n\n/** Operations: name, method, path, and flags for an input (i) and pages (p). */\nexport const operations = \`${lines.join('\n')}\`;\n\n/** Objects of event types whose names contain an underscore. */\nexport const eventObjects = [\n${eventObjects}];\n`;
}

/** Returns the types of the client: views, inputs, payloads of events, operations, and error codes. */
export function clientTypes(schema: GraphQLSchema): string {
  const document = openApiOf(schema, 'https://billing.example.com');
  const components = document.components['schemas'] as Readonly<Record<string, JsonSchema>>;
  const types = Object.entries(components)
    .filter(([name]) => name !== 'Error')
    .map(
      ([name, component]) =>
        `${comment(component['description'])}export type ${name} = ${typeOf(component)};`,
    );
  const named = namedRoutes(routesOf(schema));
  const namespaces = Map.groupBy(named, ({ namespace }) => namespace);
  const operations = Array.from(namespaces, ([namespace, methods]) => {
    const members = methods.map(({ method, route }) => {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      if (operation === undefined) throw new Error(`${route.method} ${route.path} isn't documented.`);
      const input = inputOf(operation) ?? (isWrite(route.method) ? { type: '{}', isRequired: false } : null);
      const parameters = [
        ...parametersIn(route.path).map((name) => `${name}: string`),
        ...(input === null ? [] : [`input${input.isRequired ? '' : '?'}: ${input.type}`]),
        'options?: CallOptions',
      ];
      return `    ${comment(operation.description)}${method}(${parameters.join(', ')}): ${resultOf(operation, route)};`;
    });
    return `  ${namespace}: {\n${members.join('\n')}\n  };`;
  });
  const codes = Map.groupBy(
    Object.keys(errorCodes),
    (code) => errorCodes[code as keyof typeof errorCodes].type,
  );
  const codesOfOperations = named.map(
    ({ namespace, method, route }) => `  '${namespace}.${method}': ${union(codesOf(route).map(literal))};`,
  );
  return [
    heading,
    "import type { CallOptions } from '../http.ts';\nimport type { PageRequest } from '../pages.ts';\n",
    ...types,
    `\n/** Payload of each event type. */\nexport type EventPayloads = {\n${eventKinds.map((kind) => `  '${kind}': ${payloadTypeName(kind)};`).join('\n')}\n};\n`,
    `/** Error codes of each error type. */\nexport type ErrorCodes = {\n${Array.from(codes, ([type, of]) => `  ${type}: ${union(of.map(literal))};`).join('\n')}\n};\n`,
    `/** Error codes of each operation. */\nexport type OperationErrors = {\n${codesOfOperations.join('\n')}\n};\n`,
    `/** Operations of the client, by namespace. */\nexport type Operations = {\n${operations.join('\n')}\n};\n`,
  ].join('\n');
}
