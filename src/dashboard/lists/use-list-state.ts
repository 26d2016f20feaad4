import { useMemo } from 'react';
import { type PlainPageName, useAddressSearch } from '../address.ts';
import { ApiError } from '../data/api-error.ts';
import { useStore } from '../data/store.ts';
import type { GridColumn, GridSort } from '../kit/grid/columns.ts';
import type { Filter, FilterField } from '../kit/list/filters.ts';
import { type ListState, listFromSearch, listToSearch } from '../kit/list/list-address.ts';
import { chooseHiddenColumns, hiddenColumns } from '../shell/hidden-columns.ts';

type Shape = {
  readonly fields: readonly FilterField[];
  // biome-ignore lint/suspicious/noExplicitAny: the rows do not matter here.
  readonly columns: readonly GridColumn<any>[];
};

/** Manages the state of a list in the URL. The list's hidden columns are also stored for the next visit. */
export function useListState(name: PlainPageName, shape: Shape) {
  const [search, change] = useAddressSearch();
  const text = JSON.stringify(search);
  const { fields, columns } = shape;
  const preferredHidden = useStore(hiddenColumns)[name];
  const state = useMemo(() => {
    const given = Object.entries(JSON.parse(text) as Record<string, string>);
    return listFromSearch(Object.fromEntries(given.filter(([, value]) => value !== undefined)), {
      fields,
      columns,
      preferredHidden,
    });
  }, [text, fields, columns, preferredHidden]);
  /** Writes the state to the URL. Omits parameters that have their default values. */
  const write = (next: ListState) => {
    const gone = Object.keys(listToSearch(state, { columns })).map((name) => [name, undefined]);
    change({ ...Object.fromEntries(gone), ...listToSearch({ ...next, at: 0 }, { columns }) });
  };
  return {
    state,
    onSearch: (typed: string) => write({ ...state, search: typed }),
    onFilters: (filters: readonly Filter[]) => write({ ...state, filters }),
    onSort: (sort: GridSort | null) => write({ ...state, sort }),
    onHidden: (hidden: readonly string[]) => {
      chooseHiddenColumns({ ...hiddenColumns.get(), [name]: hidden });
      write({ ...state, hidden });
    },
    /** Stores the index of the first visible row, so that a reload shows the same rows. */
    onTop: (row: number) => {
      if (row !== state.at) change({ at: row === 0 ? undefined : String(row) });
    },
    onClear: () => {
      write({ ...state, filters: [], search: '' });
      change({ view: undefined });
    },
    errorOf: (error: unknown) =>
      error instanceof ApiError
        ? { message: error.message, ...(error.requestId !== null && { requestId: error.requestId }) }
        : {},
  };
}
