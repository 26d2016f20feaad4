import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import type { Condition, OrderKey, RowList } from '../platform/db/row-lists.ts';
import type { Filter, ModelName, Row } from '../platform/db/rows.ts';
import { builder } from './builder.ts';
import type { Page } from './connections.ts';
import { type NamedOrder, newestFirst } from './cursors.ts';
import { type FilterMember, Members, SortDirection } from './list-members.ts';
import { type PageArguments, pageArguments, readPage } from './pages.ts';

// Lists that can be filtered, searched and sorted. A capability declares one beside its types; the inputs of GraphQL, the query parameters of REST,
// their checks and the SQL follow from the declaration. What is declared names the index that serves it, which a test holds to.

/** A way to sort a list: a column that is never null, or what an expression makes of it. */
export type SortKey<M extends ModelName = ModelName> = {
  readonly column: keyof Row<M> & string;
  readonly description: string;
  readonly expression?: OrderKey['expression'];
  /** The index of (environment, key, seq), or of (environment, key) where no two rows have the same. */
  readonly index: string;
  readonly isUnique?: true;
};

/** What a text is searched in. */
export type Search = {
  readonly description: string;
  /** The condition on rows `t` that the text sets. */
  readonly condition: (text: string) => Condition;
};

/** A list as a capability declares it. */
type Declaration<M extends ModelName> = {
  /** The name of its types in the schema: `InvoiceFilter`, `InvoiceSort`. */
  readonly name: string;
  /** What its rows are called: `invoices`. */
  readonly of: string;
  readonly filter: (f: Members<M>) => Readonly<Record<string, FilterMember>>;
  readonly search?: Search;
  /** The ways to sort it, the one it has when none is asked for first. */
  readonly sort: Readonly<Record<string, SortKey<M>>>;
  readonly defaultOrder?: NamedOrder;
  readonly defaultSize?: number;
};

/** How a caller wants rows sorted. What is left out has its default. */
type SentOrder = {
  readonly by?: string | null | undefined;
  readonly direction?: 'asc' | 'desc' | null | undefined;
};

/** What a caller sends about a list beside the page. */
export type ListArguments = PageArguments & {
  readonly filter?: Readonly<Record<string, unknown>> | null | undefined;
  readonly search?: string | null | undefined;
  readonly sort?: SentOrder | null | undefined;
};

/** A declared list, with the arguments of its field. */
export type List<M extends ModelName> = Omit<Declaration<M>, 'filter'> & {
  readonly model: M;
  readonly filter: Record<string, FilterMember>;
  /** The type of the filter in the schema. */
  readonly filterInput: ReturnType<typeof inputsOf>['filter'];
  readonly defaultOrder: NamedOrder;
  readonly args: ReturnType<typeof argumentsOf>;
};

const declared: List<ModelName>[] = [];

/** Every declared list. Complete once the schema has been imported. */
export const declaredLists = (): readonly List<ModelName>[] => declared;

function inputsOf(
  name: string,
  of: string,
  members: List<ModelName>['filter'],
  sort: List<ModelName>['sort'],
) {
  const filter = builder.inputType(`${name}Filter`, {
    description: `Which ${of} to list: those that pass every member that is sent.`,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(members).map(([member, { type, rule = {}, description }]) => [
          member,
          t.field({ type, rule, description }),
        ]),
      ),
  });
  const [usual = ''] = Object.keys(sort);
  const by = builder.enumType(`${name}SortKey`, {
    description: `What ${of} can be sorted by.`,
    values: Object.fromEntries(Object.entries(sort).map(([key, { description }]) => [key, { description }])),
  });
  const order = builder.inputRef<SentOrder>(`${name}Sort`).implement({
    description: `How to sort ${of}. Rows with the same value are in the order they were made.`,
    fields: (t) => ({
      by: t.field({
        type: by,
        defaultValue: usual,
        description: `What to sort by. Defaults to \`${usual}\`.`,
      }),
      direction: t.field({
        type: SortDirection,
        defaultValue: 'desc',
        description: 'Which rows come first. Defaults to `desc`.',
      }),
    }),
  });
  return { filter, order };
}

const searchRule = { minLength: 3, maxLength: 100 } as const;

function argumentsOf(
  { search, defaultSize }: Pick<Declaration<ModelName>, 'search' | 'defaultSize'>,
  inputs: ReturnType<typeof inputsOf>,
) {
  return builder.args((t) => {
    const { first, after, last, before } = pageArguments(defaultSize);
    return {
      first: t.field(first),
      after: t.field(after),
      last: t.field(last),
      before: t.field(before),
      filter: t.field({ type: inputs.filter, description: 'Only those that pass this.' }),
      ...(search === undefined
        ? {}
        : {
            search: t.string({
              rule: searchRule,
              description: `${search.description} 3 to 100 characters; upper and lower case are the same.`,
            }),
          }),
      sort: t.field({ type: inputs.order, description: 'In which order. Defaults to the newest first.' }),
    };
  });
}

/** Declares a list of rows of a model. */
export function listOf<M extends ModelName>(model: M, declaration: Declaration<M>): List<M> {
  const { filter, defaultOrder = newestFirst, ...rest } = declaration;
  const members = { ...filter(new Members(model)) };
  // What a declaration is for one model it is for models in general, whose columns are texts.
  const general = rest as unknown as Omit<Declaration<ModelName>, 'filter'>;
  const inputs = inputsOf(general.name, general.of, members, general.sort);
  const list = {
    ...rest,
    model,
    filter: members,
    filterInput: inputs.filter,
    defaultOrder,
    args: argumentsOf(general, inputs),
  };
  declared.push(list as unknown as List<ModelName>);
  return list;
}

/** What tells rows with the same value apart. */
const lastKey: OrderKey = { column: 'seq' };

/** Gives a list more members of its filter, which a capability above it declares: conditions on tables of its own. */
export function extendList<M extends ModelName>(
  list: List<M>,
  members: (f: Members<M>) => Readonly<Record<string, FilterMember>>,
): void {
  for (const [name, member] of Object.entries(members(new Members(list.model)))) {
    if (list.filter[name] !== undefined) throw new Error(`${list.name}Filter has ${name} twice.`);
    list.filter[name] = member;
  }
}

/** The order a caller asks for. Compiled operations leave the defaults of an input's members to us. */
function orderOf(list: List<ModelName>, sort: ListArguments['sort']): NamedOrder {
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
const sentMembers = (list: List<ModelName>, filter: ListArguments['filter']) =>
  Object.entries(list.filter).flatMap(([name, member]) => {
    const value = filter?.[name] ?? null;
    return value === null ? [] : [{ name, member, value }];
  });

type Sent = ReturnType<typeof sentMembers>[number];

/** Whether the rows of a member's values are found in its index, in the order asked for. */
function leadsIn({ member: { index }, value }: Sent, order: NamedOrder, usual: NamedOrder): boolean {
  if (index === undefined || order.keys[0]?.column !== usual.keys[0]?.column) return false;
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

/** The rows a caller asks for: `filter` holds what other arguments of the field ask for. */
export function rowListOf<M extends ModelName>(
  list: List<M>,
  args: ListArguments,
  now: Date,
  filter: Filter = {},
): RowList & { readonly model: M; readonly order: NamedOrder } {
  const general = list as unknown as List<ModelName>;
  const order = orderOf(general, args.sort);
  const sent = sentMembers(general, args.filter);
  const lead = sent.find((member) => leadsIn(member, order, list.defaultOrder));
  const { search } = args;
  const conditions = [
    ...conditionsOf(
      sent.filter((member) => member !== lead),
      now,
    ),
    ...(search && list.search !== undefined ? [list.search.condition(search)] : []),
  ];
  const rows = { model: list.model, filter, order };
  const index = lead?.member.index;
  if (lead === undefined || index === undefined) return { ...rows, conditions };
  const { where } = index.partial ?? {};
  return {
    ...rows,
    conditions: where === undefined ? conditions : [...conditions, () => where],
    among: {
      column: index.column,
      values: [...new Set(lead.value as readonly string[])],
      owner: index.owner,
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

/** A page of a declared list. One statement. */
export const readList = <M extends ModelName>(
  ctx: Context,
  list: List<M>,
  args: ListArguments,
  { filter, info }: { filter?: Filter; info?: GraphQLResolveInfo } = {},
): Promise<Page<Row<M>>> =>
  readPage(ctx, rowListOf(list, args, ctx.clock.now(), filter), args, {
    defaultSize: list.defaultSize,
    info,
  });
