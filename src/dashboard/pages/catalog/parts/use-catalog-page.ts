import { useCallback } from 'react';
import { type PlainPageName, useAddressSearch } from '../../../address.ts';
import type { Data } from '../../../data/hooks.ts';
import type { titles } from '../../../words/en/titles.ts';
import { useWords } from '../../../words/words.ts';

/** The object whose sheet is open, by the address: its id, `new` for one that is made, or null. */
export function useOpenObject(): [string | null, (id: string | null) => void] {
  const [{ open }, change] = useAddressSearch();
  const set = useCallback(
    (id: string | null) => change({ open: id ?? undefined }, { isNew: id !== null }),
    [change],
  );
  return [open ?? null, set];
}

/** What every list of the catalog says. */
type ListWords = { readonly text: string; readonly empty: string; readonly new: string };

/**
 * A list of the catalog with a sheet beside it: `list` is what its `CatalogList` takes, `opened` is null for a new thing, the row for one there is
 * and undefined for nothing, and `ends` is what the sheet calls when it is closed and when something was saved.
 */
export function useCatalogPage<Row extends { readonly id: string }>(
  name: PlainPageName,
  words: ListWords,
  data: Data<unknown>,
  rows: readonly Row[] = [],
) {
  const title = useWords<typeof titles>('titles')[name];
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
