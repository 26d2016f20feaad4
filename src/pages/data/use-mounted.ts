import { useEffect, useState } from 'preact/hooks';

/** Whether the browser has taken the page over; buttons do nothing before. */
export function useMounted(): boolean {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return isMounted;
}
