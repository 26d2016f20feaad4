import { useEffect, useRef } from 'react';
import { type EventFilter, useEvents } from './use-events.ts';

/** How long events gather before what is on screen is asked for again, in milliseconds. */
const pause = 400;

/** Asks for the page again after events about it, once for those that come together. */
export function useRefetchOnEvents(filter: EventFilter, refetch: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEvents(filter, () => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = setTimeout(refetch, pause);
  });
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
}
