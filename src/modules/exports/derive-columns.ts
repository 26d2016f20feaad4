import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  Kind as NodeKind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { scaleOf } from '../../graphql/amount.ts';
import { restViews } from '../../graphql/rest.ts';
import { columnsByModel } from '../../platform/db/columns.ts';
import { modelFields } from '../../platform/db/datamodel.ts';
import { type Kind, kindOf } from './list-kinds.ts';

// The columns of a kind, derived from the REST view of its type, or from the fields of the type where it has no view.

/** What the cells of a column are. An amount is minor units, a rate 10 000 to the unit of a currency. */
export type CellType = 'text' | 'json' | 'integer' | 'amount' | 'rate' | 'number' | 'boolean' | 'timestamp';

/** A column of a file. Members of objects have the names of both joined by `_`. */
export type Column = {
  readonly name: string;
  readonly type: CellType;
  /** Where the value stands in a row as it is shown. */
  readonly path: readonly string[];
  /** The fields that lead to it, from the type of the rows on; empty where it is a column of the stored row. */
  readonly fields: readonly FieldNode[];
  /** The column of the stored row. */
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

const isList = (field: GraphQLField<unknown, unknown>): boolean => isListType(getNullableType(field.type));

const isFields = (nodes: readonly { readonly kind: string }[]): nodes is readonly FieldNode[] =>
  nodes.every(({ kind }) => kind === NodeKind.FIELD);

/** The columns of selected fields. Objects become a column per member; lists, and objects of several types, one of JSON. */
function columnsOfFields(
  kind: Kind,
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
    return [{ name, type: cellType, path, fields, stored: null, isUsCents }];
  });
}

/** Fields of the type that are values and take no arguments, the id first. */
const plainFields = (type: GraphQLObjectType): string => {
  const plain = Object.values(type.getFields())
    .filter((field) => field.args.length === 0 && isLeafType(getNamedType(field.type)))
    .map(({ name }) => name);
  return [...new Set(['id', ...plain])].join(' ');
};

const selectedIn = (fields: string): readonly FieldNode[] => {
  // The text is a selection and nothing else.
  const [{ selectionSet }] = parse(`{ ${fields} }`).definitions as unknown as [OperationDefinitionNode];
  return selectionSet.selections as readonly FieldNode[];
};

/** Relations that have no foreign key in some tables. */
const commonIds = ['customerId', 'subscriptionId', 'invoiceId', 'transactionId'];

/** The columns of a model that are ids of related rows. */
function relationIds({ model }: Kind): string[] {
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

function derive(schema: GraphQLSchema, kind: Kind): Column[] {
  if (kind.type === null)
    return (kind.columns ?? []).map(({ name, column, type }) => storedColumn(name, column, type));
  const type = schema.getType(kind.type);
  if (!isObjectType(type)) throw new Error(`There is no type ${kind.type}.`);
  const view = kind.view === undefined ? undefined : restViews().get(kind.view);
  const shown = columnsOfFields(kind, type, selectedIn(view?.fields ?? plainFields(type)), {
    path: [],
    fields: [],
  });
  const taken = new Set(shown.map(({ name }) => name));
  const joined = kind.joined === undefined ? [] : [kind.joined.column];
  const more = [...joined, ...relationIds(kind)].filter((name) => !taken.has(name));
  return [...shown, ...more.map((name) => storedColumn(name, name, 'text'))];
}

const derived = new WeakMap<GraphQLSchema, Map<string, readonly Column[]>>();

/** All columns of a kind, those of the view first, then the ids of related rows. */
export const columnsOfKind = (schema: GraphQLSchema, name: string): readonly Column[] =>
  derived
    .getOrInsertComputed(schema, () => new Map<string, readonly Column[]>())
    .getOrInsertComputed(name, () => derive(schema, kindOf(name)));
