import { useEffect, useEffectEvent, useMemo } from 'react';
import { throttled } from './throttle.ts';
import { type EventFilter, useEvents } from './use-events.ts';

/** Reloads the page's data after matching events, once per burst. */
export function useRefetchOnEvents(filter: EventFilter, refetch: () => void): void {
  const read = useEffectEvent(refetch);
  const throttle = useMemo(() => throttled(() => read()), []);
  useEvents(filter, throttle.call);
  useEffect(() => throttle.stop, [throttle]);
}
