import { useEffect } from 'preact/hooks';

/** Does something again and again as long as it is wanted, such as looking how a payment stands that is under way. */
export function useRepeat(isWanted: boolean, act: () => void, pauseMs: number): void {
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(act, pauseMs);
    return () => clearInterval(timer);
  });
}
