import { useEffect, useRef } from 'preact/hooks';

/** Does something once a part is shown. */
export function useShown(act: () => void): void {
  const first = useRef(act);
  useEffect(() => first.current(), []);
}
