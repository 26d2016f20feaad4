import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type LiveEvent, listen } from './event-bus.ts';

/** Which events a part wants to hear of; all of them unless narrowed. */
export type EventFilter = {
  /** Kinds, such as `customer_created`, or their beginnings, such as `customer_`. */
  readonly kinds?: readonly string[];
  readonly customerId?: string;
  /** The object an event is about, or its customer or subscription. */
  readonly objectId?: string;
};

const isKind = ({ kinds }: EventFilter, kind: string): boolean =>
  kinds === undefined || kinds.some((each) => (each.endsWith('_') ? kind.startsWith(each) : each === kind));

/** Whether an event is one of those a filter names. */
export function matches(filter: EventFilter, event: LiveEvent): boolean {
  const { customerId, objectId } = filter;
  const { customer, subscription, subject } = event;
  const ids = [subject, subscription, customer].flatMap((each) =>
    each !== null && 'id' in each ? [each.id] : [],
  );
  return (
    isKind(filter, event.event) &&
    (customerId === undefined || customer?.id === customerId) &&
    (objectId === undefined || ids.includes(objectId))
  );
}

/** Calls `handler` with each event a filter names. While there are too many events they are only counted: what is on screen is asked for again then. */
export function useEvents(filter: EventFilter, handler: (event: LiveEvent) => void): void {
  const handle = useEffectEvent((event: LiveEvent) => {
    if (matches(filter, event)) handler(event);
  });
  useEffect(() => listen({ onEvent: handle, onMany: () => undefined }), []);
}

/** How many new rows there are since the list was read, for "3 new", by the kinds that make them; and how to begin again. */
export function useArrivals(filter: EventFilter): readonly [count: number, reset: () => void] {
  const [count, setCount] = useState(0);
  const onEvent = useEffectEvent((event: LiveEvent) => {
    if (matches(filter, event)) setCount((before) => before + 1);
  });
  const onMany = useEffectEvent((kinds: readonly { readonly event: string; readonly count: number }[]) => {
    const made = kinds.filter(({ event }) => isKind(filter, event));
    setCount((before) => before + made.reduce((sum, each) => sum + each.count, 0));
  });
  useEffect(() => listen({ onEvent, onMany }), []);
  return [count, useCallback(() => setCount(0), [])];
}
