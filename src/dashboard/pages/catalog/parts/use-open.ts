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
