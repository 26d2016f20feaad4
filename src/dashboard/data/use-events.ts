import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type LiveEvent, listen } from './event-bus.ts';

/** Prefixes of a name that end with an underscore: `payment_` and `payment_method_` for `payment_method_attached`. */
type PrefixesOf<Name extends string, Before extends string = ''> = Name extends `${infer Word}_${infer Rest}`
  ? `${Before}${Word}_` | PrefixesOf<Rest, `${Before}${Word}_`>
  : never;

/** Event type such as `customer_created`, or the prefix of event types such as `customer_`. */
export type LiveKind = LiveEvent['event'] | PrefixesOf<LiveEvent['event']>;

/** Events to subscribe to. Defaults to all events. */
export type EventFilter = {
  readonly kinds?: readonly LiveKind[];
  readonly customerId?: string;
  /** ID of the event's object, customer or subscription. */
  readonly objectId?: string;
};

const isKind = ({ kinds }: EventFilter, kind: string): boolean =>
  kinds === undefined || kinds.some((each) => (each.endsWith('_') ? kind.startsWith(each) : each === kind));

function matches(filter: EventFilter, event: LiveEvent): boolean {
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

/** Calls `handler` for each matching event. During an event flood, `handler` isn't called, and the page's queries are rerun instead. */
export function useEvents(filter: EventFilter, handler: (event: LiveEvent) => void): void {
  const handle = useEffectEvent((event: LiveEvent) => {
    if (matches(filter, event)) handler(event);
  });
  useEffect(() => listen({ onEvent: handle, onMany: () => undefined }), []);
}

/**
 * Counts the rows added since the list was loaded, based on events of the given types. Returns the count and a function that resets it. Used for
 * labels such as "3 new".
 */
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
