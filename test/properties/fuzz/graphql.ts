import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { schema } from '../../../src/schema.ts';
import { brokenDocument, strangeDocuments } from './broken-documents.ts';
import { brokenJson } from './broken-json.ts';
import { type HttpRequest, keyHeaders, oddHeaders, type World } from './request.ts';
import { type Making, valuesOf } from './values.ts';

type Field = GraphQLField<unknown, unknown>;

export type RootField = { readonly operation: 'query' | 'mutation' | 'subscription'; readonly field: Field };

export const rootFields: readonly RootField[] = [
  { operation: 'query' as const, type: schema.getQueryType() },
  { operation: 'mutation' as const, type: schema.getMutationType() },
  { operation: 'subscription' as const, type: schema.getSubscriptionType() },
].flatMap(({ operation, type }) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ operation, field })),
);

/** Occasionally returns arguments for a nested field. `null` if the field has required arguments. */
function nestedArguments({ random }: Making, { args }: Field): string | null {
  if (args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)) return null;
  if (!args.some(({ name }) => name === 'first')) return '';
  return random.pick([
    '(first: 2)',
    '(first: 3)',
    '(first: 0)',
    '(first: -1)',
    '(first: 1000000)',
    '(after: "x")',
    '',
  ]);
}

/** Selects random fields of a type up to the given depth. Returns an empty selection for leaf types. */
function selectionOf(making: Making, type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named) || isInterfaceType(named)) {
    const parts = schema
      .getPossibleTypes(named)
      .map((part) => `... on ${part.name} ${selectionOf(making, part, depth)}`);
    return `{ __typename ${making.random.below(3) === 0 ? parts.join(' ') : ''} }`;
  }
  if (!isObjectType(named)) return '{ __typename }';
  const shown = Object.values(named.getFields()).flatMap((field) => {
    const isLeaf = isLeafType(getNamedType(field.type));
    const isWanted =
      ['id', 'edges', 'node'].includes(field.name) ||
      (isLeaf ? making.random.below(2) === 0 : depth > 0 && making.random.below(3) === 0);
    const provided = isWanted ? nestedArguments(making, field) : null;
    return provided === null
      ? []
      : [`${field.name}${provided} ${selectionOf(making, field.type, depth - 1)}`];
  });
  return `{ __typename ${shown.join(' ')} }`;
}

/** Generates a document and variables for a root field. */
export function operationFor(
  { random, tenant }: World,
  { operation, field }: RootField,
): { query: string; variables: Record<string, unknown> } {
  const making: Making = {
    random,
    pool: tenant.pool,
    field: field.name,
    hostility: random.pick([0, 0, 8, 25]),
  };
  const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const provided = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const list = (text: string): string => (text === '' ? '' : `(${text})`);
  const query = `${operation} ${list(declared)} { ${field.name}${list(provided)} ${selectionOf(making, field.type, 3)} }`;
  return {
    query: making.hostility > 0 && random.below(6) === 0 ? brokenDocument(random, query) : query,
    variables: { ...valuesOf(making, field.args) },
  };
}

/** Generates an HTTP request for a root field, or occasionally a request with an unusual document. */
export function graphqlRequest(world: World, root = world.random.pick(rootFields)): HttpRequest {
  const { random } = world;
  const isStrange = random.below(12) === 0;
  const operation = isStrange
    ? { query: random.pick(strangeDocuments), variables: {} }
    : operationFor(world, root);
  const shared = {
    kind: 'http' as const,
    about: isStrange ? 'a strange document' : root.field.name,
    headers: { ...keyHeaders(world), ...oddHeaders(world) },
  };
  if (random.below(12) === 0) {
    const variables = random.pick([JSON.stringify(operation.variables), '%7B', '[]', 'null', '{', '1', '']);
    const search = `query=${encodeURIComponent(operation.query.toWellFormed())}&variables=${encodeURIComponent(variables.toWellFormed())}`;
    const more = random.pick([
      '',
      '&extensions={',
      '&operationName=x',
      '&extensions=%7B%22persistedQuery%22%3A1%7D',
    ]);
    return {
      ...shared,
      method: 'GET',
      path: `/graphql?${search}${more}`.slice(0, 14_000),
      body: null,
      answers: null,
    };
  }
  const payload =
    random.below(20) === 0
      ? Array.from({ length: random.pick([0, 1, 3, 10, 11, 50]) }, () => operation)
      : extended(world, operation);
  const text = JSON.stringify(payload);
  return {
    ...shared,
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...shared.headers },
    body: random.below(25) === 0 ? brokenJson(random, text) : Buffer.from(text),
    answers: getNamedType(root.field.type).name.replace(/Connection$/, ''),
  };
}

/** Occasionally adds or overwrites fields of a GraphQL request, such as `operationName` and `extensions`. */
function extended({ random }: World, operation: object): object {
  if (random.below(10) > 0) return operation;
  return random.pick<object>([
    { ...operation, operationName: random.pick(['', 'none', '__proto__', null, 1, {}]) },
    {
      ...operation,
      extensions: random.pick([{}, [], 'x', { persistedQuery: { version: 1, sha256Hash: 'x' } }]),
    },
    { ...operation, variables: random.pick([null, [], 'x', 1]) },
    { ...operation, query: random.pick([null, 1, [], {}, '']) },
    { ...operation, unknown: true },
  ]);
}
