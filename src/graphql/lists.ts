import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import type { Filter, ModelName, Row } from '../platform/db/rows.ts';
import { builder } from './builder.ts';
import type { Page } from './connections.ts';
import { type NamedOrder, newestFirst } from './cursors.ts';
import { type FilterMember, Members, SortDirection } from './list-members.ts';
import { type ListArguments, rowListOf, type Search, type SentOrder, type SortKey } from './list-rows.ts';
import { pageArguments, readPage } from './pages.ts';

// Lists that can be filtered, searched and sorted. A capability declares one beside its types; the inputs of GraphQL, the query parameters of REST,
// their checks and the SQL follow from the declaration. What is declared names the index that serves it, which a test holds to.

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

/** The type of a filter in the schema. */
const filterInputOf = (name: string, of: string, members: List<ModelName>['filter']) =>
  builder.inputType(`${name}Filter`, {
    description: `Which ${of} to list: those that pass every member that is sent.`,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(members).map(([member, { type, rule = {}, description }]) => [
          member,
          t.field({ type, rule, description }),
        ]),
      ),
  });

function inputsOf(
  name: string,
  of: string,
  members: List<ModelName>['filter'],
  sort: List<ModelName>['sort'],
) {
  const filter = filterInputOf(name, of, members);
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
              description: `${search.description} An id finds the one that has it. 3 to 100 characters; upper and lower case are the same.`,
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

/** Rows of a model that are filtered and not listed, as those of an export. */
export type FilteredRows<M extends ModelName> = Pick<
  List<M>,
  'name' | 'of' | 'model' | 'filter' | 'filterInput' | 'search' | 'sort' | 'defaultOrder'
>;

/** Declares a filter of rows of a model that no field lists with it. */
export function filteredRows<M extends ModelName>(
  model: M,
  {
    name,
    of,
    filter,
    defaultOrder,
  }: Pick<Declaration<M>, 'name' | 'of' | 'filter'> & { readonly defaultOrder: NamedOrder },
): FilteredRows<M> {
  const members = { ...filter(new Members(model)) };
  return {
    name,
    of,
    model,
    filter: members,
    filterInput: filterInputOf(name, of, members),
    sort: {},
    defaultOrder,
  };
}

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
