import { useCallback } from 'react';
import { type PlainPageName, useAddressSearch } from '../../../address.ts';
import type { Data } from '../../../data/hooks.ts';
import { useWords } from '../../../words/words.ts';

/** Returns the object whose sheet is open according to the URL: its ID, `new` for a new object, or `null`. */
export function useOpenObject(): [string | null, (id: string | null) => void] {
  const [{ open }, change] = useAddressSearch();
  const set = useCallback(
    (id: string | null) => change({ open: id ?? undefined }, { isNew: id !== null }),
    [change],
  );
  return [open ?? null, set];
}

/** Messages that every catalog list has. */
type ListWords = { readonly text: string; readonly empty: string; readonly new: string };

/**
 * Manages a catalog list with a sheet. `list` contains the props of the `CatalogList`. `opened` is the row of the object in the sheet, `null`
 * for a new object, and `undefined` if no sheet is open. `ends` contains the callbacks of the sheet.
 */
export function useCatalogPage<Row extends { readonly id: string }>(
  name: PlainPageName,
  words: ListWords,
  data: Data<unknown>,
  rows: readonly Row[] = [],
) {
  const title = useWords('titles')[name];
  const [open, setOpen] = useOpenObject();
  const close = () => setOpen(null);
  return {
    list: {
      name,
      title,
      text: words.text,
      empty: words.empty,
      make: { label: words.new, onPress: () => setOpen('new') },
      data,
      rows,
      rowKey: ({ id }: Row) => id,
    },
    opened: open === 'new' ? null : rows.find(({ id }) => id === open),
    ends: {
      onClose: close,
      onDone: () => {
        close();
        data.refetch();
      },
    },
  };
}
