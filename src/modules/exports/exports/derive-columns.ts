import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { scaleOf } from '../../../graphql/declare/amount.ts';
import { restViews } from '../../../graphql/declare/rest.ts';
import { columnsByModel } from '../../../platform/db/columns.ts';
import { foreignKeys } from '../../../platform/db/datamodel.ts';
import { isFields, shownFields } from './derive-fields.ts';
import { isSeries, kindOf } from './find-kind.ts';
import type { ListKind } from './list-kinds.ts';
import type { SeriesKind } from './list-series.ts';
import { rootFieldOf } from './read-root-field.ts';

// Columns of an export type, derived from the REST view of its GraphQL type or root field. Without a view, the columns are derived from the
// GraphQL type's fields.

/**
 * Type of a column's cells. Amounts are in minor units. Rates are in ten-thousandths of the currency unit (10,000 = 1.00). Decimals are exact
 * and have the form of text.
 */
export type CellType =
  | 'text'
  | 'json'
  | 'integer'
  | 'decimal'
  | 'amount'
  | 'rate'
  | 'number'
  | 'boolean'
  | 'timestamp';

/**
 * Column of an export file. For a field of a nested object, the column name consists of the object's name and the
 * field's name, joined with `_`.
 */
export type Column = {
  readonly name: string;
  readonly type: CellType;
  /** Path from a resolved row to the column's value. */
  readonly path: readonly string[];
  /** GraphQL fields that lead from a row to the value. Empty if no field returns the value. */
  readonly fields: readonly FieldNode[];
  /** Database column with the same value, which can be read without resolving the field. `null` if a resolver computes the value. */
  readonly stored: string | null;
  /** True if an amount is in US cents regardless of the row's currency. */
  readonly isUsCents: boolean;
  /** True if the REST API omits the field if it's `false`, so that the cell is empty. */
  readonly isEmptyIfFalse: boolean;
};

const cellTypes: Readonly<Record<string, CellType>> = {
  SafeInt: 'integer',
  Int: 'integer',
  Decimal: 'decimal',
  Float: 'number',
  Boolean: 'boolean',
  DateTime: 'timestamp',
  Json: 'json',
  TextMap: 'json',
  CountMap: 'json',
};

function cellTypeOf(field: GraphQLField<unknown, unknown>): CellType {
  const scale = scaleOf(field);
  if (scale !== undefined) return scale === 'MINOR' ? 'amount' : 'rate';
  return cellTypes[getNamedType(field.type).name] ?? 'text';
}

/**
 * GraphQL types whose values equal the stored values, apart from the conversion of timestamps and integers, which is the same for every
 * column.
 */
const plainTypes = new Set([
  'String',
  'ID',
  'Boolean',
  'Int',
  'Float',
  'SafeInt',
  'DateTime',
  'Json',
  'TextMap',
  'CountMap',
  'Timezone',
]);

/** Returns the database column that a field exposes unchanged. `null` if the field has a resolver. */
function exposedColumn(model: string | undefined, field: GraphQLField<unknown, unknown>): string | null {
  const type = getNamedType(field.type);
  const name = field.extensions['pothosExposedField'];
  const isPlain = plainTypes.has(type.name) || isEnumType(type);
  const columns = model === undefined ? undefined : columnsByModel.get(model);
  return isPlain && !isList(field) && typeof name === 'string' && columns?.includes(name) === true
    ? name
    : null;
}

const isList = (field: GraphQLField<unknown, unknown>): boolean => isListType(getNullableType(field.type));

/** Returns the columns for the selected fields. An object becomes one column per object field. Lists and unions become one JSON column. */
function columnsOfFields(
  kind: Pick<ListKind, 'usCents' | 'view'> & { readonly model?: string },
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  above: { readonly path: readonly string[]; readonly fields: readonly FieldNode[] },
): Column[] {
  return nodes.flatMap((node) => {
    const field = type.getFields()[node.name.value];
    if (field === undefined) throw new Error(`${type.name} has no field ${node.name.value}.`);
    const path = [...above.path, node.alias?.value ?? node.name.value];
    const fields = [...above.fields, node];
    const shown = getNamedType(field.type);
    const inner = node.selectionSet?.selections ?? [];
    if (isObjectType(shown) && !isList(field) && isFields(inner))
      return columnsOfFields(kind, shown, inner, { path, fields });
    const name = path.join('_');
    const cellType = isLeafType(shown) && !isList(field) ? cellTypeOf(field) : 'json';
    const isUsCents = kind.usCents?.includes(name) ?? false;
    const stored = above.path.length === 0 ? exposedColumn(kind.model, field) : null;
    const absent = kind.view === undefined ? undefined : restViews().get(kind.view)?.absentWhenUnset;
    const isEmptyIfFalse = cellType === 'boolean' && absent?.includes(name) === true;
    return [{ name, type: cellType, path, fields, stored, isUsCents, isEmptyIfFalse }];
  });
}

/** Columns that always contain IDs of related rows, even if a table doesn't declare the columns as foreign keys. */
const commonIds = ['customerId', 'subscriptionId', 'invoiceId', 'transactionId'];

/** Returns the columns of a model that contain IDs of related rows. */
function relationIds({ model, omitted = [] }: ListKind): string[] {
  const keys = foreignKeys(model);
  const own = columnsByModel.get(model) ?? [];
  return own.filter(
    (name) =>
      !['environmentId', 'id', ...omitted].includes(name) &&
      (keys.includes(name) || commonIds.includes(name)),
  );
}

const storedColumn = (name: string, stored: string, type: CellType): Column => ({
  name,
  type,
  path: [name],
  fields: [],
  stored,
  isUsCents: false,
  isEmptyIfFalse: false,
});

function columnsOfList(schema: GraphQLSchema, kind: ListKind): Column[] {
  if (kind.type === null)
    return (kind.columns ?? []).map(({ name, column, type }) => storedColumn(name, column, type));
  const type = schema.getType(kind.type);
  if (!isObjectType(type)) throw new Error(`There is no type ${kind.type}.`);
  const shown = columnsOfFields(kind, type, shownFields(type, kind.view), {
    path: [],
    fields: [],
  });
  const taken = new Set(shown.map(({ name }) => name));
  const joined = kind.joined === undefined ? [] : [kind.joined.column];
  const more = [...joined, ...relationIds(kind)].filter((name) => !taken.has(name));
  return [...shown, ...more.map((name) => storedColumn(name, name, 'text'))];
}

/**
 * Returns the columns of a list's elements, followed by the columns of nested lists. Nested rows are merged with the element that contains
 * them.
 */
function columnsBelow(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  [next, ...below]: readonly string[],
): Column[] {
  const list = nodes.find(({ name }) => name.value === next);
  const own = columnsOfFields(
    {},
    type,
    nodes.filter((node) => node !== list),
    { path: [], fields: [] },
  );
  if (next === undefined) return own;
  const shown = getNamedType(type.getFields()[next]?.type);
  const inner = list?.selectionSet?.selections ?? [];
  if (!isObjectType(shown) || !isFields(inner)) throw new Error(`${type.name} has no rows in ${next}.`);
  return [...own, ...columnsBelow(shown, inner, below)];
}

function columnsOfSeries(schema: GraphQLSchema, kind: SeriesKind): Column[] {
  const { type, nodes } = rootFieldOf(schema, kind);
  const columns = columnsBelow(type, nodes, kind.rows);
  const names = new Set(columns.map(({ name }) => name));
  if (names.size < columns.length) throw new Error(`Rows of ${kind.field} have columns of one name.`);
  return columns;
}

function derive(schema: GraphQLSchema, name: string): Column[] {
  const kind = kindOf(name);
  return isSeries(kind) ? columnsOfSeries(schema, kind) : columnsOfList(schema, kind);
}

const derived = new WeakMap<GraphQLSchema, Map<string, readonly Column[]>>();

/** Returns all columns of an export type: first the columns of its REST view, then the IDs of related rows. */
export const columnsOfKind = (schema: GraphQLSchema, name: string): readonly Column[] =>
  derived
    .getOrInsertComputed(schema, () => new Map<string, readonly Column[]>())
    .getOrInsertComputed(name, () => derive(schema, name));
