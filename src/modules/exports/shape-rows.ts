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
import type { Context } from '../../context.ts';
import { columnsOf } from '../../graphql/columns.ts';
import { storedSerializers } from '../../graphql/enum-spelling.ts';
import { compileOperation } from '../../graphql/jit.ts';
import { restViews } from '../../graphql/rest.ts';
import { serializeSafeInt } from '../../graphql/scalars.ts';
import { type Columns, columnsByModel } from '../../platform/db/columns.ts';
import { isoText } from '../../platform/db/timestamps.ts';
import type { Column } from './derive-columns.ts';
import { queryOf } from './derive-fields.ts';
import type { ListKind } from './list-kinds.ts';

// Rows as REST shows them: the resolvers of the schema make the values, as they do for a page of the list.

/** A row as it is shown. */
export type Shown = Record<string, unknown>;

/** A stored row. */
export type Stored = Readonly<Record<string, unknown>>;

/** Rows as they are shown, and the currency of the amounts of each. */
export type Shaped = { readonly rows: readonly Shown[]; readonly currencies: readonly string[] };

/** Makes rows of one kind, with some of its columns. */
export type Shape = {
  /** The columns of the stored row it needs. */
  readonly needs: Columns;
  readonly shaped: (ctx: Context, rows: readonly Stored[]) => Promise<Shaped>;
};

/** The fields of several columns as one selection, each field once, in their order. */
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

/** The schema with one root field, which answers the rows that the root value holds. */
function rootedAt(schema: GraphQLSchema, type: GraphQLObjectType): GraphQLSchema {
  const rows = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
  const query = new GraphQLObjectType({ name: 'ExportedRows', fields: { [rowsField]: { type: rows } } });
  const { types, directives } = schema.toConfig();
  return new GraphQLSchema({ query, types, directives });
}

/** The selection of the columns, below the root field. */
const rootOf = (columns: readonly Column[]): FieldNode => ({
  kind: NodeKind.FIELD,
  name: { kind: NodeKind.NAME, value: rowsField },
  selectionSet: selectionOf(columns.map(({ fields }) => fields)),
});

/** The columns of the stored row that resolvers of the columns read. */
const readsOf = (type: GraphQLObjectType, root: FieldNode): Columns =>
  columnsOf({ fieldNodes: [root], fragments: {}, returnType: new GraphQLList(type) });

type Resolve = (ctx: Context, rows: readonly Stored[]) => Promise<readonly Shown[]>;

/** Compiles the fields of the columns; answers how they are resolved and what they read. */
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

/** Whether a column reads nothing of a row, and so says the same of every one: what the rows are, and in which mode. */
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

const nothing: Shown = {};

type Finish = (shown: Shown, row: Stored) => Shown;

/** Puts what is stored beside what resolvers made, in the order of the columns, and leaves out members that REST leaves out where they are null. */
function finishOf(kind: ListKind, columns: readonly Column[]): Finish {
  const view = kind.view === undefined ? undefined : restViews().get(kind.view);
  const absent = new Set(view?.absentWhenNull ?? []);
  const sources = new Map(columns.map(({ path, stored }) => [path[0] ?? '', stored]));
  const members = [...sources].map(([name, stored]) => {
    const value =
      stored === null ? `shown[${JSON.stringify(name)}]` : `storedValue(row[${JSON.stringify(stored)}])`;
    return `${JSON.stringify(name)}: ${absent.has(name) ? `${value} ?? undefined` : value}`;
  });
  // Written out as one object: a loop over the names takes several times as long, and exports have many rows.
  const make = new Function('storedValue', `return (shown, row) => ({ ${members.join(', ')} });`);
  return make(storedValue) as Finish;
}

/** The columns of the stored row that are needed whatever is shown: those of the order, of relations, and the currency of amounts. */
export function ownColumns(kind: ListKind, columns: readonly Column[]): Set<string> {
  const { model, order, joined } = kind;
  const own = new Set(order.keys.map(({ column }) => column));
  for (const { stored } of columns) if (stored !== null && stored !== joined?.column) own.add(stored);
  if (joined !== undefined) own.add(joined.by);
  const hasAmount = columns.some(({ type, isUsCents }) => type === 'amount' && !isUsCents);
  if (hasAmount && columnsByModel.get(model)?.includes('currency')) own.add('currency');
  return own;
}

/** How rows of a kind are made with these columns. */
export function shapeOf(schema: GraphQLSchema, kind: ListKind, columns: readonly Column[]): Shape {
  const own = ownColumns(kind, columns);
  const finish = finishOf(kind, columns);
  // Amounts of what has no currency, such as prices of the catalog, are US cents.
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
