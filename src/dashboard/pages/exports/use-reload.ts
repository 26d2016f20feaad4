import { useEffect, useRef } from 'react';

/** Reloads when `count`, the number of closed forms, increases. */
export function useReload(count: number, refetch: () => void): void {
  const last = useRef(count);
  useEffect(() => {
    if (last.current !== count) refetch();
    last.current = count;
  }, [count, refetch]);
}
