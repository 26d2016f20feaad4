import { useEffect, useEffectEvent, useMemo } from 'react';
import { paced } from '../data/pace.ts';
import { useArrivals } from '../data/use-events.ts';

/** Whether the rows on screen begin with the first one, so that new ones may push them down. */
const isAtTop = (): boolean => (document.querySelector('[role="grid"]')?.scrollTop ?? 0) < 8;

/**
 * Reads a list again when events change which rows there are: at once while its beginning is on screen, else by a button that says how many are
 * new. Answers the props of the grid for that button.
 */
export function useFreshRows(kinds: readonly string[], refresh: () => void) {
  const [arrived, reset] = useArrivals({ kinds });
  const show = () => {
    reset();
    refresh();
  };
  const showAtTop = useEffectEvent(() => {
    if (isAtTop()) show();
  });
  const pace = useMemo(() => paced(() => showAtTop()), []);
  useEffect(() => {
    if (arrived > 0) pace.call();
  }, [arrived, pace]);
  useEffect(() => pace.stop, [pace]);
  return { arrived, onShowArrived: show };
}
