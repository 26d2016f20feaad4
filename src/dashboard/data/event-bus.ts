import type { ResultOf } from '../../ui/documents.ts';
import type { EventStreamDocument } from './events.graphql';
import { createStore } from './store.ts';

// Who is notified of events, and what is asked again when there are too many for a notification each.

/** An event as the stream tells it. */
export type LiveEvent = NonNullable<ResultOf<typeof EventStreamDocument>>['eventStream'];

type Listener = {
  readonly onEvent: (event: LiveEvent) => void;
  /** Many events at once, of these kinds. */
  readonly onMany: (kinds: readonly { readonly event: string; readonly count: number }[]) => void;
};

const listeners = new Set<Listener>();
const visible = new Set<() => void>();

/** Whether each event is a notification, or they are counted once a second, or left out for now. */
export const liveMode = createStore<'stream' | 'digest' | 'paused'>('paused');

/** Tells `listener` of events until the function it answers is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Registers what is on screen, so that it is asked for again after many events. */
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
