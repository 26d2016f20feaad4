import type { GridColumn, GridSort } from '../grid/columns.ts';
import { hiddenAtFirst } from '../grid/columns.ts';
import { type Filter, type FilterField, filterFromText, filterText } from './filters.ts';

/** What the address of a list says: search, filters, sorting, hidden columns, the row at the top. */
export type ListState = {
  readonly search: string;
  readonly filters: readonly Filter[];
  readonly sort: GridSort | null;
  readonly hidden: readonly string[];
  readonly at: number;
};

/** The part of an address behind the question mark, by name. */
export type Search = Readonly<Record<string, string>>;

type ListShape = {
  readonly fields: readonly FilterField[];
  // biome-ignore lint/suspicious/noExplicitAny: the rows do not matter here.
  readonly columns: readonly GridColumn<any>[];
  /** The columns that are hidden where the address does not say it, instead of those that usually are. */
  readonly preferredHidden?: readonly string[] | undefined;
};

/** Names that are not those of filters. */
const own = { search: 'q', sort: 'sort', hidden: 'hide', at: 'at' } as const;

/** The state of a list from its address. What is unknown or wrong is left out. */
export function listFromSearch(search: Search, { fields, columns, preferredHidden }: ListShape): ListState {
  const filters = fields.flatMap(({ id }) => {
    const text = search[id];
    return text === undefined ? [] : (filterFromText(id, text, fields) ?? []);
  });
  const [, sign, column = ''] = /^(-?)(\w+)$/.exec(search[own.sort] ?? '') ?? [];
  const isSortable = columns.some(({ id, isSortable: can }) => id === column && can === true);
  const named = search[own.hidden]?.split('.') ?? preferredHidden;
  const hidden = named?.filter((id) => columns.some((known) => known.id === id));
  const at = search[own.at] ?? '';
  return {
    search: search[own.search] ?? '',
    filters,
    sort: isSortable ? { column, direction: sign === '-' ? 'descending' : 'ascending' } : null,
    hidden: hidden ?? hiddenAtFirst(columns),
    at: /^\d{1,7}$/.test(at) ? Number(at) : 0,
  };
}

/** The address of a list: only what differs from the beginning. */
export function listToSearch(
  state: ListState,
  { columns }: Pick<ListShape, 'columns'>,
): Record<string, string> {
  const usual = hiddenAtFirst(columns);
  const isUsual = usual.length === state.hidden.length && usual.every((id) => state.hidden.includes(id));
  return {
    ...(state.search !== '' && { [own.search]: state.search }),
    ...Object.fromEntries(state.filters.map((filter) => [filter.field, filterText(filter)])),
    ...(state.sort !== null && {
      [own.sort]: `${state.sort.direction === 'descending' ? '-' : ''}${state.sort.column}`,
    }),
    ...(!isUsual && { [own.hidden]: state.hidden.join('.') }),
    ...(state.at > 0 && { [own.at]: String(state.at) }),
  };
}
