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
import { scaleOf } from '../../graphql/amount.ts';
import { columnsByModel } from '../../platform/db/columns.ts';
import { modelFields } from '../../platform/db/datamodel.ts';
import { isFields, shownFields } from './derive-fields.ts';
import { isSeries, kindOf } from './find-kind.ts';
import type { ListKind } from './list-kinds.ts';
import type { SeriesKind } from './list-series.ts';
import { rootFieldOf } from './read-root-field.ts';

// The columns of a kind, derived from the REST view of its type or root field, or from the fields of the type where it has no view.

/** What the cells of a column are. An amount is minor units, a rate 10 000 to the unit of a currency. */
export type CellType = 'text' | 'json' | 'integer' | 'amount' | 'rate' | 'number' | 'boolean' | 'timestamp';

/** A column of a file. Members of objects have the names of both joined by `_`. */
export type Column = {
  readonly name: string;
  readonly type: CellType;
  /** Where the value stands in a row as it is shown. */
  readonly path: readonly string[];
  /** The fields that lead to it, from the type of the rows on; empty where no field shows it. */
  readonly fields: readonly FieldNode[];
  /** The column of the stored row whose value it is, so that no field is resolved for it; null where a resolver makes the value. */
  readonly stored: string | null;
  /** Whether an amount is in US cents whatever the currency of the row. */
  readonly isUsCents: boolean;
};

const cellTypes: Readonly<Record<string, CellType>> = {
  SafeInt: 'integer',
  Int: 'integer',
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

/** Types whose values are those of the column, but for instants and whole numbers, which are the same for every field. */
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

/** The column a field shows as it is stored; null for one that resolves its value. */
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

/** The columns of selected fields. Objects become a column per member; lists, and objects of several types, one of JSON. */
function columnsOfFields(
  kind: Pick<ListKind, 'usCents'> & { readonly model?: string },
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
    return [{ name, type: cellType, path, fields, stored, isUsCents }];
  });
}

/** Relations that have no foreign key in some tables. */
const commonIds = ['customerId', 'subscriptionId', 'invoiceId', 'transactionId'];

/** The columns of a model that are ids of related rows. */
function relationIds({ model }: ListKind): string[] {
  const keys = (modelFields.get(model) ?? []).flatMap(({ relationFromFields = [] }) => relationFromFields);
  const own = columnsByModel.get(model) ?? [];
  return own.filter(
    (name) => name !== 'environmentId' && name !== 'id' && (keys.includes(name) || commonIds.includes(name)),
  );
}

const storedColumn = (name: string, stored: string, type: CellType): Column => ({
  name,
  type,
  path: [name],
  fields: [],
  stored,
  isUsCents: false,
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

/** The columns of the elements of a field, then those of the rows below, which are one with what they stand in. */
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

/** All columns of a kind, those of the view first, then the ids of related rows. */
export const columnsOfKind = (schema: GraphQLSchema, name: string): readonly Column[] =>
  derived
    .getOrInsertComputed(schema, () => new Map<string, readonly Column[]>())
    .getOrInsertComputed(name, () => derive(schema, name));
