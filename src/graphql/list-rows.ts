import type { Context } from '../context.ts';
import type { Columns } from '../platform/db/columns.ts';
import type { Condition, OrderKey, Owner, RowList, RowValues } from '../platform/db/row-lists.ts';
import type { Filter, ModelName, Row } from '../platform/db/rows.ts';
import { isIdOf } from '../platform/ids.ts';
import type { Page } from './connections.ts';
import type { NamedOrder } from './cursors.ts';
import { loadPageBy } from './loaders.ts';
import type { OrderedList, PageArguments } from './pages.ts';

// What callers filter, search and sort declared lists by, as lists of rows: those of the environment, and those below each row of a page.

/** Where a member is used: its name in errors, and the time by the clock of the environment. */
export type Use = { readonly path: string; readonly now: Date };

/** A member of a filter: what it makes of a value. */
export type NarrowingMember = {
  /** The condition on rows `t` that a value sets. */
  readonly condition: (value: unknown, use: Use) => Condition;
  /** Rows of another table the condition is on, told as what follows SELECT; one of them passes all conditions of members with the same text. */
  readonly within?: string;
  /** The index that has the rows of each value newest first, and how values lead to it. */
  readonly index?: ValueIndex | undefined;
  /** The index of the values sent, where it depends on them. */
  readonly indexFor?: (values: readonly string[], path: string) => ValueIndex;
};

/** An index of (environment, column, creation time, seq), over all rows or only over those that pass `where`. */
export type ValueIndex = RowValues & {
  readonly name: string;
  /** Where the index is of (environment, column) alone: no two rows have the same value, and they lead in every order. */
  readonly isKey?: true;
  /** Where the values are ids of owners, and the index has the owner's column in place of this one. */
  readonly owner?: Owner;
  /** The condition of a partial index on `t`, and the values whose rows are not in it. */
  readonly partial?: { readonly where: string; readonly without: readonly string[] };
};

/** A way to sort a list: a column that is never null, or what an expression makes of it. */
export type SortKey<M extends ModelName = ModelName> = {
  readonly column: keyof Row<M> & string;
  readonly description: string;
  readonly expression?: OrderKey['expression'];
  /** The index of (environment, key, seq), or of (environment, key) where no two rows have the same. */
  readonly index: string;
  readonly isUnique?: true;
};

/** What a text is searched in. A text that is the id of a row finds that row alone. */
export type Search = {
  readonly description: string;
  /** What the ids of the rows begin with. */
  readonly idPrefix: string;
  /** The condition on rows `t` that the text sets. */
  readonly condition: (text: string) => Condition;
};

/** How a caller wants rows sorted. What is left out has its default. */
export type SentOrder = {
  readonly by?: string | null | undefined;
  readonly direction?: 'asc' | 'desc' | null | undefined;
};

/** What a caller sends about a list beside the page. */
export type ListArguments = PageArguments & {
  readonly filter?: Readonly<Record<string, unknown>> | null | undefined;
  readonly search?: string | null | undefined;
  readonly sort?: SentOrder | null | undefined;
};

/** A list that callers filter, search and sort. */
export type NarrowedList<M extends ModelName = ModelName> = {
  readonly name: string;
  readonly model: M;
  readonly filter: Readonly<Record<string, NarrowingMember>>;
  readonly search?: Search;
  readonly sort: Readonly<Record<string, SortKey<M>>>;
  readonly defaultOrder: NamedOrder;
};

/** What tells rows with the same value apart. */
const lastKey: OrderKey = { column: 'seq' };

/** The order a caller asks for. Compiled operations leave the defaults of an input's members to us. */
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

/** The members a caller sends, with their values. */
const sentMembers = (list: NarrowedList, filter: ListArguments['filter']) =>
  Object.entries(list.filter).flatMap(([name, member]) => {
    const value = filter?.[name] ?? null;
    return value === null ? [] : [{ name, member, value }];
  });

type Sent = ReturnType<typeof sentMembers>[number];

/** The index that has the rows of a member's values. */
const indexOf = ({ name, member, value }: Sent): ValueIndex | undefined =>
  member.indexFor?.(value as readonly string[], `filter.${name}`) ?? member.index;

/** Whether the rows of a member's values are found in its index, in the order asked for. */
function leadsIn(sent: Sent, order: NamedOrder, usual: NamedOrder): boolean {
  const { value } = sent;
  const index = indexOf(sent);
  if (index === undefined) return false;
  if (index.isKey === true) return true;
  if (order.keys[0]?.column !== usual.keys[0]?.column) return false;
  return !(value as readonly unknown[]).some((one) => index.partial?.without.includes(String(one)) === true);
}

/** The conditions of members: those on the same rows of another table hold for one of them together. */
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

/** The condition a search sets, or the id of the only row it finds. */
function searched({ search }: NarrowedList, sent: ListArguments['search']) {
  if (search === undefined || !sent) return { id: null, conditions: [] };
  const id = sent.trim();
  return isIdOf(search.idPrefix, id)
    ? { id, conditions: [] }
    : { id: null, conditions: [search.condition(sent)] };
}

/** The owners of the columns whose members are found by them. */
const ownersOf = ({ filter }: NarrowedList): Record<string, Owner> =>
  Object.fromEntries(
    Object.values(filter).flatMap(({ index }) =>
      index?.owner === undefined ? [] : [[index.column, index.owner] as const],
    ),
  );

/** The rows a caller asks for: `filter` holds what other arguments of the field ask for. */
export function rowListOf<M extends ModelName>(
  list: NarrowedList<M>,
  args: ListArguments,
  now: Date,
  filter: Filter = {},
): RowList & { readonly model: M; readonly order: NamedOrder } {
  const general = list as unknown as NarrowedList;
  const order = orderOf(general, args.sort);
  const sent = sentMembers(general, args.filter);
  const found = searched(general, args.search);
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

/** What a caller sends with more members of several values; where one is sent already, what both have in common. */
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

/** The values of a member that a field takes as a single argument too. */
export const single = (value: string | null | undefined): readonly string[] | undefined =>
  value ? [value] : undefined;

/** Which rows of a list a page below a row is of. */
export type Below = {
  readonly by: string;
  readonly id: string;
  readonly filter?: Filter;
  readonly conditions?: readonly Condition[];
  readonly columns?: (list: OrderedList) => Columns;
};

/** A page of the rows of a declared list below a row. Batched: parents that ask for the same page share one statement. */
export function loadListBy<M extends ModelName>(
  ctx: Context,
  list: NarrowedList<M>,
  args: ListArguments,
  { by, id, filter = {}, conditions = [], columns = () => 'all' }: Below,
): Promise<Page<Row<M>>> {
  const rows = rowListOf(list, args, ctx.clock.now(), filter);
  const { filter: sent, search, sort } = args;
  const key = sent || search || sort ? JSON.stringify({ sent, search, sort }) : '';
  const narrowed = { ...rows, conditions: [...(rows.conditions ?? []), ...conditions] };
  return loadPageBy(ctx, narrowed, by, id, args, columns(narrowed), key);
}
