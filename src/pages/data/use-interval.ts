import { useEffect } from 'preact/hooks';

/** Calls a function at regular intervals while `isActive` is true, for example to check a pending payment. */
export function useInterval(isActive: boolean, act: () => void, pauseMs: number): void {
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(act, pauseMs);
    return () => clearInterval(timer);
  });
}
