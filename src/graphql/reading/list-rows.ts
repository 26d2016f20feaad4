import type { Columns } from '../../platform/db/columns.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Condition, OrderKey, Owner, RowList, RowValues } from '../../platform/db/row-lists.ts';
import type { Filter, ModelName, Row } from '../../platform/db/rows.ts';
import { isIdOf } from '../../platform/ids.ts';
import type { Context } from '../../request/context.ts';
import type { NamedOrder } from './cursors.ts';
import { type PageLoader, pageLoader } from './loaders.ts';
import type { OrderedList, PageArguments } from './pages.ts';

// Converts filter, search, and sort arguments to lists of rows. Supports lists in an environment and lists below the rows of a page.

/** Context for applying a filter field: the field's path for error messages, and the environment's time. */
type Use = { readonly path: string; readonly now: Date };

/** Filter field with the SQL condition that it adds to a list. */
export type NarrowingMember = {
  /** Returns the SQL condition for a value. The row has the alias `t`. */
  readonly condition: (value: unknown, use: Use) => Condition;
  /** SQL after SELECT for a condition on another table. Filter fields with the same SQL must match the same related row. */
  readonly within?: string;
  /** Index that finds the rows with a filter value, newest first. */
  readonly index?: ValueIndex | undefined;
  /** Returns the index for the given filter values. Set if the index depends on the values. */
  readonly indexFor?: (values: readonly string[], path: string) => ValueIndex;
};

/** Index on (environment, column, creation time, seq). Partial if `partial` is set. */
export type ValueIndex = RowValues & {
  readonly name: string;
  /** True for a unique index on (environment, column). Such an index supports every sort order, because each value has at most one row. */
  readonly isKey?: true;
  /** Owner table, if the filter values are owner IDs but the index contains a different owner column. */
  readonly owner?: Owner;
  /** Condition of a partial index, and the values that it excludes. */
  readonly partial?: { readonly where: string; readonly without: readonly string[] };
};

/** Sort key: a non-null column, or an expression based on it. */
export type SortKey<M extends ModelName = ModelName> = {
  readonly column: keyof Row<M> & string;
  readonly description: string;
  readonly expression?: OrderKey['expression'];
  /** Index on (environment, key, seq), or on (environment, key) if the key is unique. */
  readonly index: string;
  readonly isUnique?: true;
};

/** IDs of the owners that match a search text, or `many` if more owners match than can be used. */
export type FoundOwners = readonly string[] | 'many';

/** Search in the text of the rows' owners. */
type OwnerSearch = {
  /** Returns the IDs of up to `most` matching owners. */
  readonly find: (sql: Query, text: string, most: number) => Promise<readonly string[]>;
  /** Returns the SQL condition for a search text whose owners were searched. */
  readonly condition: (text: string, found: FoundOwners) => Condition;
  /** Returns the filter field with the IDs of owners, if the search text only concerns owners. Otherwise, returns `null`. */
  readonly filterName: (text: string) => string | null;
};

/** Row search. If the search text is a row ID, only this row is found. */
export type Search = {
  readonly description: string;
  /** Prefix of the row IDs. */
  readonly idPrefix: string;
  /** Returns the SQL condition for a search text. */
  readonly condition: (text: string) => Condition;
  /** Search in two steps, which is fast for every number of matching owners. */
  readonly owners?: OwnerSearch;
};

/** Requested sort order. Missing fields use the default. */
export type SentOrder = {
  readonly by?: string | null | undefined;
  readonly direction?: 'asc' | 'desc' | null | undefined;
};

/** Arguments of a list field, including pagination. */
export type ListArguments = PageArguments & {
  readonly filter?: Readonly<Record<string, unknown>> | null | undefined;
  readonly search?: string | null | undefined;
  readonly sort?: SentOrder | null | undefined;
};

/** List that supports filters, a search, and sort keys. */
export type NarrowedList<M extends ModelName = ModelName> = {
  readonly name: string;
  readonly model: M;
  readonly filter: Readonly<Record<string, NarrowingMember>>;
  readonly search?: Search;
  readonly sort: Readonly<Record<string, SortKey<M>>>;
  readonly defaultOrder: NamedOrder;
};

/** Last sort key, which orders rows whose other sort keys are equal. */
const lastKey: OrderKey = { column: 'seq' };

/** Returns the requested sort order. Applies defaults here, because compiled operations omit default values. */
function orderOf(list: NarrowedList, sort: ListArguments['sort']): NamedOrder {
  const { defaultOrder } = list;
  if (!sort) return defaultOrder;
  const [usual = ''] = Object.keys(list.sort);
  const by = sort.by ?? usual;
  const direction = sort.direction ?? 'desc';
  if (by === defaultOrder.name && direction === defaultOrder.direction) return defaultOrder;
  const key = list.sort[by];
  if (key === undefined) throw new Error(`${list.name} is not sorted by ${by}.`);
  const { column, expression, isUnique } = key;
  const first = expression === undefined ? { column } : { column, expression };
  return { name: by, keys: isUnique === true ? [first] : [first, lastKey], direction };
}

/** Returns the filter fields in the request, with their values. */
const sentMembers = (list: NarrowedList, filter: ListArguments['filter']) =>
  filter
    ? Object.entries(list.filter).flatMap(([name, member]) => {
        const value = filter[name] ?? null;
        return value === null ? [] : [{ name, member, value }];
      })
    : [];

type Sent = ReturnType<typeof sentMembers>[number];

/** Returns the database index for finding rows by the requested values of a filter field. */
const indexOf = ({ name, member, value }: Sent): ValueIndex | undefined =>
  member.indexFor?.(value as readonly string[], `filter.${name}`) ?? member.index;

/** True if the index of a filter field can return the rows in the requested order. */
function leadsIn(sent: Sent, order: NamedOrder, usual: NamedOrder): boolean {
  const { value } = sent;
  const index = indexOf(sent);
  if (index === undefined) return false;
  if (index.isKey === true) return true;
  if (order.keys[0]?.column !== usual.keys[0]?.column) return false;
  return !(value as readonly unknown[]).some((one) => index.partial?.without.includes(String(one)) === true);
}

/**
 * Returns the SQL conditions for filter fields. Conditions on the same related table are combined, so that a single
 * related row must match all of them.
 */
function conditionsOf(sent: readonly Sent[], now: Date): Condition[] {
  const groups = Map.groupBy(sent, ({ member }) => member.within);
  return [...groups].flatMap(([within, members]) => {
    const conditions = members.map(({ name, member, value }) =>
      member.condition(value, { path: `filter.${name}`, now }),
    );
    if (within === undefined) return conditions;
    const exists: Condition = (bind) =>
      `EXISTS (SELECT ${within} AND ${conditions.map((condition) => condition(bind)).join(' AND ')})`;
    return [exists];
  });
}

/** Maximum number of owners whose rows are found by the owners' IDs. With more owners, many of the newest rows match. */
const mostOwners = 1_000;

/** Returns the owners that match the search of a list. `null` if the list isn't searched by its owners. */
export async function findOwners(
  sql: Query,
  { search }: Pick<NarrowedList, 'search'>,
  { search: sent }: ListArguments,
): Promise<FoundOwners | null> {
  if (search?.owners === undefined || !sent || isIdOf(search.idPrefix, sent.trim())) return null;
  const found = await search.owners.find(sql, sent, mostOwners + 1);
  return found.length > mostOwners ? 'many' : found;
}

/** Returns the arguments of a list for the found owners. Few owners of a text that only concerns owners are the values of a filter field. */
function withOwners(
  { search }: NarrowedList,
  args: ListArguments,
  owners: FoundOwners | null,
): ListArguments {
  if (owners === null || owners === 'many') return args;
  const name = search?.owners?.filterName(args.search ?? '') ?? null;
  return name === null ? args : withMembers({ ...args, search: null }, { [name]: owners });
}

/** Returns the condition for a search. If the search text is a row ID, returns this ID instead. */
function searched({ search }: NarrowedList, sent: ListArguments['search'], owners: FoundOwners | null) {
  if (search === undefined || !sent) return { id: null, conditions: [] };
  const id = sent.trim();
  return isIdOf(search.idPrefix, id)
    ? { id, conditions: [] }
    : {
        id: null,
        conditions: [
          owners === null || search.owners === undefined
            ? search.condition(sent)
            : search.owners.condition(sent, owners),
        ],
      };
}

const ownersByList = new WeakMap<NarrowedList, Readonly<Record<string, Owner>>>();

/** Returns the owner tables for columns that are filtered by owner ID. */
const ownersOf = (list: NarrowedList): Readonly<Record<string, Owner>> =>
  ownersByList.getOrInsertComputed(list, ({ filter }) =>
    Object.fromEntries(
      Object.values(filter).flatMap(({ index }) =>
        index?.owner === undefined ? [] : [[index.column, index.owner] as const],
      ),
    ),
  );

/**
 * Returns the list of requested rows. `filter` contains conditions from the field's other arguments. `owners` contains the owners that match
 * the search, or is `null` if they weren't searched.
 */
export function rowListOf<M extends ModelName>(
  list: NarrowedList<M>,
  provided: ListArguments,
  now: Date,
  filter: Filter = {},
  owners: FoundOwners | null = null,
): RowList & { readonly model: M; readonly order: NamedOrder } {
  const general = list as unknown as NarrowedList;
  const args = withOwners(general, provided, owners);
  const order = orderOf(general, args.sort);
  const sent = sentMembers(general, args.filter);
  const found = searched(general, args.search, owners);
  const lead =
    found.id === null ? sent.find((member) => leadsIn(member, order, list.defaultOrder)) : undefined;
  const conditions = [
    ...conditionsOf(
      sent.filter((member) => member !== lead),
      now,
    ),
    ...found.conditions,
  ];
  const rows = { model: list.model, filter, order, owners: ownersOf(general) };
  if (found.id !== null)
    return { ...rows, conditions, among: { column: 'id', values: [found.id], isKey: true } };
  const index = lead === undefined ? undefined : indexOf(lead);
  if (lead === undefined || index === undefined) return { ...rows, conditions };
  const { where } = index.partial ?? {};
  return {
    ...rows,
    conditions: where === undefined ? conditions : [...conditions, () => where],
    among: {
      column: index.column,
      expression: index.expression,
      values: [...new Set(lead.value as readonly string[])],
      owner: index.owner,
      isKey: index.isKey,
    },
  };
}

/** Adds filter fields to the arguments. If a field is already set, uses the intersection of both sets of values. */
export function withMembers(
  args: ListArguments,
  members: Readonly<Record<string, readonly string[] | undefined>>,
): ListArguments {
  const filter: Record<string, unknown> = { ...args.filter };
  for (const [name, values] of Object.entries(members)) {
    const sent = filter[name] ?? null;
    if (values !== undefined)
      filter[name] =
        sent === null ? values : values.filter((value) => (sent as readonly string[]).includes(value));
  }
  return { ...args, filter };
}

/** Converts a single-value argument to a list of filter values. Undefined if the argument isn't set. */
export const single = (value: string | null | undefined): readonly string[] | undefined =>
  value ? [value] : undefined;

/** Restriction of a list to the rows of its parents. `by` is the column that contains a parent's ID. */
export type Below = {
  readonly by: string;
  readonly filter?: Filter;
  readonly conditions?: readonly Condition[];
  readonly columns?: (list: OrderedList) => Columns;
};

/**
 * Returns a function that loads a page of a parent's rows. Batched: parents with the same arguments share one SQL
 * statement.
 */
export function listLoader<M extends ModelName>(
  ctx: Context,
  list: NarrowedList<M>,
  args: ListArguments,
  { by, filter = {}, conditions = [], columns = () => 'all' }: Below,
): PageLoader<M> {
  const rows = rowListOf(list, args, ctx.clock.now(), filter);
  const { filter: sent, search, sort } = args;
  const key = sent || search || sort ? JSON.stringify({ sent, search, sort }) : '';
  const narrowed = { ...rows, conditions: [...(rows.conditions ?? []), ...conditions] };
  return pageLoader(ctx, narrowed, by, args, columns(narrowed), key);
}
