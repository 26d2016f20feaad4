import type { ResultOf } from '../../ui/documents.ts';
import type { EventStreamDocument } from './events.graphql';
import { createStore } from './store.ts';

// Distributes live events to listeners. During an event flood, the page's queries are rerun instead.

export type LiveEvent = NonNullable<ResultOf<typeof EventStreamDocument>>['eventStream'];

type Listener = {
  readonly onEvent: (event: LiveEvent) => void;
  /** Called with the number of events per event type, while events aren't delivered individually. */
  readonly onMany: (kinds: readonly { readonly event: string; readonly count: number }[]) => void;
};

const listeners = new Set<Listener>();
const visible = new Set<() => void>();

/** Delivery mode: individual events (`stream`), counts once a second (`digest`), or none (`paused`). */
export const liveMode = createStore<'stream' | 'digest' | 'paused'>('paused');

/** Subscribes a listener. Returns a function that unsubscribes it. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Registers a page query that is rerun during an event flood. Returns a function that unregisters the query. */
export function show(refetch: () => void): () => void {
  visible.add(refetch);
  return () => visible.delete(refetch);
}

export function tell(event: LiveEvent): void {
  for (const { onEvent } of [...listeners]) onEvent(event);
}

export function tellMany(kinds: readonly { readonly event: string; readonly count: number }[]): void {
  for (const { onMany } of [...listeners]) onMany(kinds);
  for (const refetch of [...visible]) refetch();
}
