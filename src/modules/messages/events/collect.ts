import { gatherEvents } from '../../../graphql/live/event-spans.ts';
import { followEvents } from '../../../graphql/live/live.ts';
import type { EventRow } from '../../../outbox/read.ts';
import type { Context } from '../../../request/context.ts';

/** Maximum number of customers in a digest. A digest that reaches this number is sent immediately. */
export const maxDigestCustomers = 1_000;

/** Summary of the events in a time interval. */
export type EventDigest = {
  readonly fromPosition: bigint;
  readonly toPosition: bigint;
  /** Number of events in the digest by event type. */
  readonly counts: ReadonlyMap<string, number>;
  readonly customerIds: ReadonlySet<string>;
};

/** Mutable digest. Events are added to the digest until it's sent. */
class Digest implements EventDigest {
  readonly fromPosition: bigint;
  toPosition: bigint;
  readonly counts = new Map<string, number>();
  readonly customerIds = new Set<string>();

  constructor(first: EventRow) {
    this.fromPosition = first.position;
    this.toPosition = first.position;
  }

  add({ position, kind, customerId }: EventRow): void {
    this.toPosition = position;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (customerId !== null) this.customerIds.add(customerId);
  }

  get isFull(): boolean {
    return this.customerIds.size >= maxDigestCustomers;
  }
}

/**
 * Yields a digest of the events after a position, for each interval of `everyMs` that has events. Position ranges are contiguous, so that a
 * reader can detect missing digests.
 */
export const collectEvents = (
  ctx: Context,
  everyMs: number,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<EventDigest, void> =>
  gatherEvents(followEvents(ctx, {}, after, stop), everyMs, {
    begin: (first) => new Digest(first),
    add: (digest, event) => digest.add(event),
    isFull: (digest) => digest.isFull,
  });
