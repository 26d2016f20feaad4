import {
  type FieldNode,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  Kind as NodeKind,
  type SelectionSetNode,
} from 'graphql';
import { isCompiledQuery } from 'graphql-jit';
import { isoText } from '../../../domain/time/iso-text.ts';
import { columnsOf } from '../../../graphql/declare/columns.ts';
import { storedSerializers } from '../../../graphql/declare/enum-spelling.ts';
import { restViews } from '../../../graphql/declare/rest.ts';
import { serializeSafeInt } from '../../../graphql/declare/scalars.ts';
import { compileOperation } from '../../../graphql/execute/jit.ts';
import { type Columns, columnsByModel } from '../../../platform/db/columns.ts';
import type { Context } from '../../../request/context.ts';
import type { Column } from './derive-columns.ts';
import { queryOf } from './derive-fields.ts';
import type { ListKind } from './list-kinds.ts';

// Converts database rows to the REST format. The schema's resolvers compute the values, as they do for list pages.

/** Row in REST format. */
export type Shown = Record<string, unknown>;

/** Row as stored in the database. */
export type Stored = Readonly<Record<string, unknown>>;

/** Rows in REST format, with the currency of each row's amounts. */
export type Shaped = { readonly rows: readonly Shown[]; readonly currencies: readonly string[] };

/** Converts the database rows for one export type to REST format with the selected columns. */
export type Shape = {
  /** Database columns that the conversion reads. */
  readonly needs: Columns;
  readonly shaped: (ctx: Context, rows: readonly Stored[]) => Promise<Shaped>;
};

/** Merges the field paths of several columns into one selection, in order and without duplicates. */
function selectionOf(chains: readonly (readonly FieldNode[])[]): SelectionSetNode {
  const byKey = Map.groupBy(chains, ([field]) => field?.alias?.value ?? field?.name.value ?? '');
  const selections = [...byKey.values()].flatMap((group): FieldNode[] => {
    const [[field, ...below] = []] = group;
    if (field === undefined) return [];
    if (below.length === 0) return [field];
    return [{ ...field, selectionSet: selectionOf(group.map(([, ...rest]) => rest)) }];
  });
  return { kind: NodeKind.SELECTION_SET, selections };
}

const rowsField = 'rows';

/** Builds a schema with a single root field that returns the rows in the root value. */
function rootedAt(schema: GraphQLSchema, type: GraphQLObjectType): GraphQLSchema {
  const rows = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
  const query = new GraphQLObjectType({ name: 'ExportedRows', fields: { [rowsField]: { type: rows } } });
  const { types, directives } = schema.toConfig();
  return new GraphQLSchema({ query, types, directives });
}

/** Returns the root field with a selection set for the export's columns. */
const rootOf = (columns: readonly Column[]): FieldNode => ({
  kind: NodeKind.FIELD,
  name: { kind: NodeKind.NAME, value: rowsField },
  selectionSet: selectionOf(columns.map(({ fields }) => fields)),
});

/** Returns the database columns that the resolvers of the export's columns read. */
const readsOf = (type: GraphQLObjectType, root: FieldNode): Columns =>
  columnsOf({ fieldNodes: [root], fragments: {}, returnType: new GraphQLList(type) });

type Resolve = (ctx: Context, rows: readonly Stored[]) => Promise<readonly Shown[]>;

/**
 * Compiles the GraphQL fields of the export's columns. Returns a function that resolves these fields, and the database columns that the
 * fields read.
 */
function compile(schema: GraphQLSchema, type: GraphQLObjectType, columns: readonly Column[]) {
  const root = rootOf(columns);
  const document = queryOf({ kind: NodeKind.SELECTION_SET, selections: [root] });
  const rooted = rootedAt(schema, type);
  const compiled = compileOperation(rooted, document, undefined, {
    customSerializers: storedSerializers(schema),
  });
  if (!isCompiledQuery(compiled)) throw new Error(`The fields of ${type.name} cannot be compiled.`);
  const resolve: Resolve = async (ctx, rows) => {
    const { data, errors } = await compiled.query({ [rowsField]: rows }, ctx, {});
    const [error] = errors ?? [];
    if (error !== undefined) throw error.originalError ?? error;
    return (data as { readonly rows: readonly Shown[] }).rows;
  };
  return { resolve, reads: readsOf(type, root) };
}

/** True if a column has the same value in every row, such as `object` and `livemode`. */
export function isConstant(schema: GraphQLSchema, kind: ListKind, column: Column): boolean {
  const type = kind.type === null ? undefined : schema.getType(kind.type);
  if (column.stored !== null || !isObjectType(type)) return false;
  const reads = readsOf(type, rootOf([column]));
  return reads !== 'all' && reads.size === 0;
}

function storedValue(value: unknown): unknown {
  if (typeof value === 'bigint') return serializeSafeInt(value);
  return value instanceof Date ? isoText(value) : value;
}

const ifSet = (value: unknown): unknown => (value === null || value === false ? undefined : value);

const nothing: Shown = {};

type Finish = (shown: Shown, row: Stored) => Shown;

/** Combines stored and resolved values in column order. Omits fields that REST omits because they are `null` or `false`. */
function finishOf(kind: ListKind, columns: readonly Column[]): Finish {
  const view = kind.view === undefined ? undefined : restViews().get(kind.view);
  const absent = new Set(view?.absentWhenUnset ?? []);
  const sources = new Map(columns.map(({ path, stored }) => [path[0] ?? '', stored]));
  const members = [...sources].map(([name, stored]) => {
    const value =
      stored === null ? `shown[${JSON.stringify(name)}]` : `storedValue(row[${JSON.stringify(stored)}])`;
    return `${JSON.stringify(name)}: ${absent.has(name) ? `ifSet(${value})` : value}`;
  });
  // Generates a function with an object literal. A loop over the names is several times slower, and exports have many rows.
  const make = new Function('storedValue', 'ifSet', `return (shown, row) => ({ ${members.join(', ')} });`);
  return make(storedValue, ifSet) as Finish;
}

/**
 * Returns the database columns that are read without a resolver. These are the exported columns, and the columns needed
 * for the sort order, the related row, and the currency of amounts.
 */
export function ownColumns(kind: ListKind, columns: readonly Column[]): Set<string> {
  const { model, order, joined } = kind;
  const own = new Set(order.keys.map(({ column }) => column));
  for (const { stored } of columns) if (stored !== null && stored !== joined?.column) own.add(stored);
  if (joined !== undefined) own.add(joined.by);
  const hasAmount = columns.some(({ type, isUsCents }) => type === 'amount' && !isUsCents);
  if (hasAmount && columnsByModel.get(model)?.includes('currency')) own.add('currency');
  return own;
}

/** Returns the row conversion for an export type with the given columns. */
export function shapeOf(schema: GraphQLSchema, kind: ListKind, columns: readonly Column[]): Shape {
  const own = ownColumns(kind, columns);
  const finish = finishOf(kind, columns);
  // Amounts of objects without a currency, such as catalog prices, are in US cents.
  const hasCurrency = own.has('currency') || kind.joined?.column === 'currency';
  const currenciesOf = (rows: readonly Stored[]): string[] =>
    rows.map((row) => (hasCurrency ? String(row['currency']) : 'usd'));
  const shownColumns = columns.filter(({ stored }) => stored === null);
  const type = kind.type === null ? undefined : schema.getType(kind.type);
  const compiled =
    shownColumns.length === 0 || !isObjectType(type) ? null : compile(schema, type, shownColumns);
  const reads = compiled?.reads ?? new Set<string>();
  const joined = new Set(kind.joined === undefined ? [] : [kind.joined.column]);
  return {
    needs: reads === 'all' ? 'all' : reads.union(own).difference(joined),
    shaped: async (ctx, rows) => {
      const shown = compiled === null ? [] : await compiled.resolve(ctx, rows);
      return {
        rows: rows.map((row, index) => finish(shown[index] ?? nothing, row)),
        currencies: currenciesOf(rows),
      };
    },
  };
}
