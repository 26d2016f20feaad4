import { useEffect, useEffectEvent, useMemo } from 'react';
import { throttled } from '../data/throttle.ts';
import { type LiveKind, useArrivals } from '../data/use-events.ts';

/** True if the first row of the grid is visible. */
const isAtTop = (): boolean => (document.querySelector('[role="grid"]')?.scrollTop ?? 0) < 8;

/**
 * Shows new rows when events add them: immediately while the first row is visible, otherwise with a button that shows their number. Returns the
 * grid's props for that button.
 */
export function useFreshRows(kinds: readonly LiveKind[], refresh: () => void) {
  const [arrived, reset] = useArrivals({ kinds });
  const show = () => {
    reset();
    refresh();
  };
  const showAtTop = useEffectEvent(() => {
    if (isAtTop()) show();
  });
  const throttle = useMemo(() => throttled(() => showAtTop()), []);
  useEffect(() => {
    if (arrived > 0) throttle.call();
  }, [arrived, throttle]);
  useEffect(() => throttle.stop, [throttle]);
  return { arrived, onShowArrived: show };
}
