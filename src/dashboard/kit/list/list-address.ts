import type { GridColumn, GridSort } from '../grid/columns.ts';
import { hiddenAtFirst } from '../grid/columns.ts';
import { type Filter, type FilterField, filterFromText, filterText } from './filters.ts';

/** State of a list in the URL: search, filters, sort order, hidden columns, and the first visible row. */
export type ListState = {
  readonly search: string;
  readonly filters: readonly Filter[];
  readonly sort: GridSort | null;
  readonly hidden: readonly string[];
  readonly at: number;
};

/** Query parameters of a URL, by name. */
export type Search = Readonly<Record<string, string>>;

type ListShape = {
  readonly fields: readonly FilterField[];
  // biome-ignore lint/suspicious/noExplicitAny: the rows do not matter here.
  readonly columns: readonly GridColumn<any>[];
  /** Columns that are hidden if the URL doesn't specify hidden columns. Overrides the default of the columns. */
  readonly preferredHidden?: readonly string[] | undefined;
};

/** Query parameters that aren't filters. */
const own = { search: 'q', sort: 'sort', hidden: 'hide', at: 'at' } as const;

/** Reads the state of a list from the URL. Ignores unknown and invalid parameters. */
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

/** Writes the state of a list to query parameters. Omits default values. */
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
