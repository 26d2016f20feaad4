import {
  buildSchema,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  parse,
} from 'graphql';
import printedSchema from '../../../schema.graphql?raw';

// Replaces the service. Executes the dashboard's documents against the printed schema.

const schema = buildSchema(printedSchema, { assumeValid: true });

/** Results by root field: a value, or a function that returns it. All other fields return the simplest value of their type. */
export type Results = Readonly<Record<string, unknown>>;

type Variables = Readonly<Record<string, unknown>>;

/** Mutation that the page sent. */
export type Sent = { readonly name: string; readonly input: unknown };

const scalars: Readonly<Record<string, unknown>> = {
  Boolean: false,
  Date: '2026-01-01',
  DateTime: '2026-01-01T00:00:00.000Z',
  Decimal: '0',
  Float: 0,
  ID: 'id_1',
  Int: 0,
  SafeInt: 0,
  String: '',
  Timezone: 'UTC',
};

/**
 * Returns the simplest value of a type: `null`, an empty list, zero, an empty string, or the first enum value. Root fields are never
 * `null`.
 */
function defaultOf(type: GraphQLOutputType, isRoot: boolean): unknown {
  if (!isNonNullType(type) && !isRoot) return null;
  const ofType = getNullableType(type);
  if (isListType(ofType)) return [];
  if (isEnumType(ofType)) return ofType.getValues()[0]?.value;
  if (isScalarType(ofType)) return scalars[ofType.name] ?? {};
  return {};
}

const fieldResolver: GraphQLFieldResolver<Record<string, unknown>, unknown> = (
  source,
  variables,
  _,
  info,
) => {
  const named = source[info.fieldName];
  const value = typeof named === 'function' ? named(variables) : named;
  if (value instanceof Rejection)
    throw new GraphQLError(value.message, {
      extensions: { code: value.code, status: 422, details: value.details },
    });
  return value === undefined ? defaultOf(info.returnType, info.path.prev === undefined) : value;
};

/** Result of a root field that rejects the request. */
export class Rejection {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];

  constructor(code: string, message: string, details: Rejection['details'] = []) {
    this.code = code;
    this.message = message;
    this.details = details;
  }
}

/** Replaces the network with the given results. Returns a list to which each mutation is added when the page sends it. */
export function replaceNetwork(results: Results): Sent[] {
  const sent: Sent[] = [];
  globalThis.fetch = async (url, init) => {
    if (String(url).includes('/auth/'))
      return Response.json({ session: { id: 'ses_1' }, user: { id: 'psn_1' } });
    const { query, variables } = JSON.parse(String(init?.body ?? '{}')) as {
      readonly query: string;
      readonly variables?: Variables;
    };
    const document = parse(query);
    for (const definition of document.definitions)
      if (definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'mutation')
        for (const field of definition.selectionSet.selections)
          if (field.kind === Kind.FIELD) sent.push({ name: field.name.value, input: variables?.['input'] });
    const result = await execute({
      schema,
      document,
      rootValue: results,
      variableValues: variables ?? {},
      fieldResolver: fieldResolver as never,
    });
    return Response.json(result);
  };
  return sent;
}
