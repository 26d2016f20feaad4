import { useEffect } from 'preact/hooks';

const pauseMs = 2_000;

/** Does something every two seconds as long as it is wanted, such as looking how a payment stands that is under way. */
export function useRepeat(isWanted: boolean, act: () => void): void {
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(act, pauseMs);
    return () => clearInterval(timer);
  });
}
