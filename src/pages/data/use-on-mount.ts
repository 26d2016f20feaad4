import { useEffect, useRef } from 'preact/hooks';

/** Calls a function once after the component is mounted. */
export function useOnMount(act: () => void): void {
  const first = useRef(act);
  useEffect(() => first.current(), []);
}
