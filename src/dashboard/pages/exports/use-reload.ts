import { useEffect, useRef } from 'react';

/** Asks again each time `count` has grown: a form that makes a row was closed. */
export function useReload(count: number, refetch: () => void): void {
  const last = useRef(count);
  useEffect(() => {
    if (last.current !== count) refetch();
    last.current = count;
  }, [count, refetch]);
}
