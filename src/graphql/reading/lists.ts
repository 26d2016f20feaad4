import type { GraphQLResolveInfo } from 'graphql';
import type { Filter, ModelName, Row } from '../../platform/db/rows.ts';
import type { Context } from '../../request/context.ts';
import { builder } from './builder.ts';
import type { Page } from './connections.ts';
import { type NamedOrder, newestFirst } from './cursors.ts';
import { type FilterMember, Members, SortDirection } from './list-members.ts';
import {
  findOwners,
  type ListArguments,
  rowListOf,
  type Search,
  type SentOrder,
  type SortKey,
} from './list-rows.ts';
import { pageArguments, readPage } from './pages.ts';

// Lists with filters, a search, and sort orders. A module declares each list next to its types; GraphQL inputs, REST parameters,
// validation, and SQL are derived from the declaration. Each declaration names the index that it uses, which a test verifies.

type Declaration<M extends ModelName> = {
  /** Prefix for the GraphQL types, for example `Invoice` for `InvoiceFilter` and `InvoiceSort`. */
  readonly name: string;
  /** Plural noun for the rows, such as `invoices`. */
  readonly of: string;
  readonly filter: (f: Members<M>) => Readonly<Record<string, FilterMember>>;
  readonly search?: Search;
  /** Sort keys by name. The first key is the default. */
  readonly sort: Readonly<Record<string, SortKey<M>>>;
  readonly defaultOrder?: NamedOrder;
  readonly defaultSize?: number;
};

/** Declared list with the arguments for its GraphQL field. */
export type List<M extends ModelName> = Omit<Declaration<M>, 'filter'> & {
  readonly model: M;
  readonly filter: Record<string, FilterMember>;
  /** GraphQL type of the filter. */
  readonly filterInput: ReturnType<typeof inputsOf>['filter'];
  readonly defaultOrder: NamedOrder;
  readonly args: ReturnType<typeof argumentsOf>;
};

const declared: List<ModelName>[] = [];

/** Returns all declared lists. Complete only after the schema has been imported. */
export const declaredLists = (): readonly List<ModelName>[] => declared;

/** Returns the GraphQL type of a filter. */
const filterInputOf = (name: string, of: string, members: List<ModelName>['filter']) =>
  builder.inputType(`${name}Filter`, {
    description: `Filter for ${of}. A result must match every field that is set.`,
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
    description: `Sort key for ${of}.`,
    values: Object.fromEntries(Object.entries(sort).map(([key, { description }]) => [key, { description }])),
  });
  const order = builder.inputRef<SentOrder>(`${name}Sort`).implement({
    description: `Sort order for ${of}. Results with equal values are sorted by creation time.`,
    fields: (t) => ({
      by: t.field({
        type: by,
        defaultValue: usual,
        description: `Sort key. Defaults to \`${usual}\`.`,
      }),
      direction: t.field({
        type: SortDirection,
        defaultValue: 'desc',
        description: 'Sort direction. Defaults to `desc`.',
      }),
    }),
  });
  return { filter, order };
}

/** The minimum is 2, because Chinese, Japanese, and Korean names can have two characters. */
export const searchRule = { minLength: 2, maxLength: 100 } as const;

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
      filter: t.field({ type: inputs.filter, description: 'Filters the results.' }),
      ...(search === undefined
        ? {}
        : {
            search: t.string({
              rule: searchRule,
              description: `${search.description} You can also search for the full ID of an object. From 2 to 100 characters. The search ignores case and accents.`,
            }),
          }),
      sort: t.field({ type: inputs.order, description: 'Sort order. Defaults to newest first.' }),
    };
  });
}

/** Declares a list of a model's rows. */
export function listOf<M extends ModelName>(model: M, declaration: Declaration<M>): List<M> {
  const { filter, defaultOrder = newestFirst, ...rest } = declaration;
  const members = { ...filter(new Members(model)) };
  // The cast is safe because a declaration uses the model only in the names of columns.
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

/** Rows of a model that can be filtered without a list field, for example in exports. */
export type FilteredRows<M extends ModelName> = Pick<
  List<M>,
  'name' | 'of' | 'model' | 'filter' | 'filterInput' | 'search' | 'sort' | 'defaultOrder'
>;

/** Declares a filter for rows that have no list field. */
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

/** Adds filter fields to another module's list. Used for conditions on tables that belong to the calling module. */
export function extendList<M extends ModelName>(
  list: List<M>,
  members: (f: Members<M>) => Readonly<Record<string, FilterMember>>,
): void {
  for (const [name, member] of Object.entries(members(new Members(list.model)))) {
    if (list.filter[name] !== undefined) throw new Error(`${list.name}Filter has ${name} twice.`);
    list.filter[name] = member;
  }
}

/** Returns a page of a list. Executes one SQL statement, and another for a search in the text of the rows' owners. */
export async function readList<M extends ModelName>(
  ctx: Context,
  list: List<M>,
  args: ListArguments,
  { filter, info }: { filter?: Filter; info?: GraphQLResolveInfo } = {},
): Promise<Page<Row<M>>> {
  const found = await findOwners(ctx.reads, list, args);
  const rows = rowListOf(list, args, ctx.clock.now(), filter, found);
  return readPage(ctx, rows, args, { defaultSize: list.defaultSize, info });
}
