import { useCallback } from 'react';
import { useAddressSearch } from '../../../address.ts';

/** The object whose sheet is open, by the address: its id, `new` for one that is made, or null. */
export function useOpenObject(): [string | null, (id: string | null) => void] {
  const [{ open }, change] = useAddressSearch();
  const set = useCallback(
    (id: string | null) => change({ open: id ?? undefined }, { isNew: id !== null }),
    [change],
  );
  return [open ?? null, set];
}

/** What a list of the catalog opens beside it: null for a new thing, the row for one there is, undefined for nothing. */
export function useCatalogSheet<Row extends { readonly id: string }>(
  rows: readonly Row[],
  refetch: () => void,
) {
  const [open, setOpen] = useOpenObject();
  const close = () => setOpen(null);
  return {
    opened: open === 'new' ? null : rows.find(({ id }) => id === open),
    openNew: () => setOpen('new'),
    /** What the sheet calls when it is closed, and when something was saved. */
    ends: {
      onClose: close,
      onDone: () => {
        close();
        refetch();
      },
    },
  };
}
