import { useEffect, useEffectEvent, useMemo } from 'react';
import { paced } from './pace.ts';
import { type EventFilter, useEvents } from './use-events.ts';

/** Asks for the page again after events about it, once for those that come together. */
export function useRefetchOnEvents(filter: EventFilter, refetch: () => void): void {
  const read = useEffectEvent(refetch);
  const pace = useMemo(() => paced(() => read()), []);
  useEvents(filter, pace.call);
  useEffect(() => pace.stop, [pace]);
}
