import { type FieldNode, getOperationAST, Kind, parse, print, type SelectionNode } from 'graphql';
import { exampleDocument, rootFieldsOf } from '../../src/rest/graphql-examples.ts';
import type { Route } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema.ts';
import { withStoredKinds } from './event-kinds.ts';
import { textOf } from './queries.ts';

// Compares the responses from a route and its GraphQL field.

const replaced = (value: unknown, ...replacements: readonly (readonly [RegExp, string])[]): unknown =>
  JSON.parse(
    replacements.reduce((text, [found, mask]) => text.replaceAll(found, mask), JSON.stringify(value)),
  );

const signedToken = [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'] as const;

/** Masks signed tokens, which contain the caller. */
export const unsigned = (value: unknown): unknown => replaced(value, signedToken);

/** Masks values that differ between two equal organizations and their callers: IDs, references of mandates, tokens, secrets, and
 * sources.
 */
export const masked = (value: unknown): unknown =>
  replaced(
    value,
    [/(ck_sandbox|ck_live|whsec)_[\w+/=-]+/g, '<key>'],
    [/\/claim\/[\w-]+/g, '/claim/<token>'],
    signedToken,
    [/"source":"(api|dashboard)"/g, '"source":"<caller>"'],
    [/"requestId":"[0-9a-f-]{36}"/g, '"requestId":"<request>"'],
    [/\/checkout\/[\w.-]+/g, '/checkout/<token>'],
    [/\b([a-z]{2,5})_[0-9A-Za-z]{20,}\b/g, '<$1>'],
    [/\bMDT-[0-9A-Z]{20,}\b/g, '<mandate>'],
  );

/** Converts a GraphQL value to its REST form. A field that REST omits must be `null` or `false` in GraphQL. */
export function withoutAbsent(graphql: unknown, rest: unknown): unknown {
  if (Array.isArray(graphql) && Array.isArray(rest))
    return graphql.map((item, index) => withoutAbsent(item, rest[index]));
  if (typeof graphql !== 'object' || graphql === null || typeof rest !== 'object' || rest === null)
    return graphql;
  const entries = Object.entries(graphql).filter(
    ([name, value]) => (value !== null && value !== false) || name in rest,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, withoutAbsent(value, (rest as Record<string, unknown>)[name])]),
  );
}

type Page = { edges: { node: unknown }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };

/** Returns rows with the members of their field `name` as fields, as REST responses contain them. */
const spreadRows = (rows: unknown, name: string): unknown =>
  (rows as readonly Readonly<Record<string, unknown>>[]).map(({ [name]: members, ...others }) => ({
    ...(members as object),
    ...others,
  }));

/** Wraps a field's value in the REST envelope. */
export function enveloped({ shape, view: { spread } }: Route, graphql: unknown): unknown {
  const value = withStoredKinds(graphql);
  if (shape === 'object') return value;
  if (shape === 'list')
    return { object: 'list', data: spread === null ? value : spreadRows(value, spread), hasMore: false };
  const { edges, pageInfo } = value as Page;
  const next = pageInfo.hasNextPage ? { nextCursor: pageInfo.endCursor } : {};
  return { object: 'list', data: edges.map(({ node }) => node), hasMore: pageInfo.hasNextPage, ...next };
}

/** Returns the GraphQL reference's operation for a route's field, with these arguments. */
export function referenceText({ field }: Route, names: readonly string[]): string {
  const root = rootFieldsOf(schema).find((each) => each.field.name === field.name);
  if (root === undefined) throw new Error(`${field.name} is no root field.`);
  return exampleDocument(schema, root, names);
}

function soleField(text: string): FieldNode {
  const [field] = getOperationAST(parse(text))?.selectionSet.selections ?? [];
  if (field?.kind !== Kind.FIELD) throw new Error('The operation has no field.');
  return field;
}

/** Prefix for the response names in the GraphQL reference's selection. */
const prefix = 'reference_';

/** Returns the selections with a prefix for each response name. */
const renamed = (selections: readonly SelectionNode[]): SelectionNode[] =>
  selections.map((selection) => {
    if (selection.kind === Kind.FIELD) {
      const value = `${prefix}${selection.name.value}`;
      return { ...selection, alias: { kind: Kind.NAME, value } };
    }
    if (selection.kind !== Kind.INLINE_FRAGMENT) return selection;
    const { selectionSet } = selection;
    return { ...selection, selectionSet: { ...selectionSet, selections: renamed(selectionSet.selections) } };
  });

/** Returns the GraphQL reference's operation, which also selects all data that REST returns. */
export function combinedText(route: Route, names: readonly string[]): string {
  const rest = soleField(textOf(route)).selectionSet?.selections ?? [];
  const document = parse(referenceText(route, names));
  const operation = getOperationAST(document);
  const field = soleField(print(document));
  if (operation === null || operation === undefined || field.selectionSet === undefined)
    throw new Error('The operation selects nothing.');
  const selections = [...rest, ...renamed(field.selectionSet.selections)];
  const both: FieldNode = { ...field, selectionSet: { ...field.selectionSet, selections } };
  return print({ ...operation, selectionSet: { ...operation.selectionSet, selections: [both] } });
}

/** Removes the data that only the GraphQL reference selects from a response. */
export function withoutReference(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReference);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith(prefix)));
}
