import { useEffect, useState } from 'preact/hooks';

/** True after hydration. Buttons don't work before hydration. */
export function useMounted(): boolean {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return isMounted;
}
