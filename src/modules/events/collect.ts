import type { Context } from '../../context.ts';
import { gatherEvents } from '../../graphql/event-spans.ts';
import { followEvents } from '../../graphql/live.ts';
import type { EventRow } from '../../outbox/read.ts';

/** Customers a digest names at most; one that has as many is sent immediately. */
export const maxDigestCustomers = 1_000;

/** What happened in a while. */
export type EventDigest = {
  readonly fromPosition: bigint;
  readonly toPosition: bigint;
  /** How many events of each kind. */
  readonly counts: ReadonlyMap<string, number>;
  readonly customerIds: ReadonlySet<string>;
};

/** Counts events until they are told. */
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
 * Digests of the events after a position, one after each `everyMs` in which there were any. Their ranges of positions follow each other without
 * gaps, so that a reader sees when one is missing.
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
