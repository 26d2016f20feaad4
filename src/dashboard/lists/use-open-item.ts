import { useCallback } from 'react';
import { useAddressSearch } from '../address.ts';

/** Returns the row or form that is open next to a list according to the URL, and a function that opens another one or closes it. */
export function useOpened(): [string | undefined, (what: string | undefined) => void] {
  const [{ open }, change] = useAddressSearch();
  const set = useCallback(
    (what: string | undefined) => change({ open: what }, { isNew: what !== undefined }),
    [change],
  );
  return [open, set];
}
