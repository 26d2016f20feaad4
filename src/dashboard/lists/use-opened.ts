import { useCallback } from 'react';
import { useAddressSearch } from '../address.ts';

/** What the address opens beside a list: a row by its id, or a form by its name; and how to open something else, or nothing. */
export function useOpened(): [string | undefined, (what: string | undefined) => void] {
  const [{ open }, change] = useAddressSearch();
  const set = useCallback(
    (what: string | undefined) => change({ open: what }, { isNew: what !== undefined }),
    [change],
  );
  return [open, set];
}
