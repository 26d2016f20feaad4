// Decides usage of a known quantity, and stores accepted usage in the book.
import type { Rejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import type { SettledHold } from '../holds/gauges.ts';
import type { EventHold } from '../holds/hold.ts';
import type { LimitNode, Tried } from '../limits/admission.ts';
import { withTopUp } from '../topups/trigger.ts';
import type { Accepted, Draw, Meter, Rejected } from './admission.ts';
import type { Subject, UsageBook } from './book.ts';
import { isCountable, tooLarge } from './countable.ts';
import { draw } from './draw.ts';
import { usageRecorded } from './event-data.ts';
import { eventOf } from './event-row.ts';
import { limitRejection, withLimits } from './limit-rejection.ts';
import type { PriceAndCost } from './price-and-cost.ts';
import type { Quantity, UsageEventRow, UsageRequest } from './record.ts';
import type { UsageMovement } from './usage-limits.ts';

/** Usage of a feature with its time and the nodes whose limits count it. */
export type Usage = {
  readonly request: Pick<UsageRequest, 'eventId' | 'properties'>;
  readonly subject: Subject;
  readonly ts: Date;
  readonly nodes: readonly LimitNode[];
  /** True if the feature counts the usage of another feature (PRM-13). */
  readonly isSourced?: boolean;
};

/** Movement that all limits accept. */
export type Decided<R extends Accepted = Accepted> = {
  readonly rejection: null;
  readonly before: Meter;
  readonly result: R;
  readonly movement: UsageMovement;
  readonly tried: readonly Tried[];
};

/** Rejected movement. `rejected` is the result of a system limit, which can change the counter. */
export type RejectedMovement = {
  readonly rejection: Rejection;
  readonly before: Meter;
  readonly rejected: Rejected | null;
  readonly tried: readonly Tried[];
};

/**
 * Decides a movement without storing it: system limits, which determine `result`, come before the limits of the nodes (LIM-41). `force`
 * returns the result without system limits, so that a rejection by a system limit can state the limits of the nodes.
 */
export function decide<R extends Accepted>(
  book: UsageBook,
  nodes: readonly LimitNode[],
  result: R | Rejected,
  change: Omit<UsageMovement, 'after'> & Pick<Draw, 'isForced'>,
  force?: () => Accepted | Rejected,
): Decided<R> | RejectedMovement {
  const { subject, before, isForced } = change;
  if ('rejection' in result) {
    const forced = book.limits === null ? undefined : force?.();
    const isMoved =
      forced !== undefined && !('rejection' in forced) && isCountable(subject.terms, forced.meter);
    const others = isMoved ? book.limits?.tryOn(nodes, { ...change, after: forced.meter }) : [];
    return { rejection: withLimits(result.rejection, others ?? []), before, rejected: result, tried: [] };
  }
  if (!isCountable(subject.terms, result.meter))
    return { rejection: tooLarge, before, rejected: null, tried: [] };
  const movement = { ...change, after: result.meter };
  const tried = book.limits?.tryOn(nodes, movement) ?? [];
  const limited = isForced === true ? null : limitRejection(tried, subject.terms);
  return limited === null
    ? { rejection: null, before, result, movement, tried }
    : { rejection: limited, before, rejected: null, tried };
}

/** Stores an accepted movement, and returns the events of the limits that it crosses. */
export function keepMoved(
  book: UsageBook,
  nodes: readonly LimitNode[],
  { before, result, movement, tried }: Decided,
): readonly EventBody[] {
  const counted = book.limits?.accept(nodes, tried, movement);
  book.keep({ ...result.meter, account: counted?.account ?? result.meter.account }, before);
  return counted?.events ?? [];
}

/** Stores the effects of a rejected movement, alerts and crossings of limits, and returns the rejection. */
export function rejectMovement(
  book: UsageBook,
  subject: Subject,
  { rejection, before, rejected, tried }: RejectedMovement,
) {
  book.constrained.add(subject.customer.id);
  const result = rejected ?? { meter: before, alerts: [] };
  book.keep(result.meter, before);
  book.tell(subject, result, book.limits?.reject(tried, subject));
  const pool = subject.terms.pool?.pool ?? null;
  return { rejection: withTopUp(rejection, before.account, pool) };
}

/** Decided usage with its quantity. */
export type Fitting = Decided<Accepted & { readonly amounts: PriceAndCost }> & {
  readonly quantity: Quantity;
};

export type Attempt = Fitting | RejectedMovement;

/** Decides usage without storing it. If `settles` is given, the usage settles a hold, and `isForced` usage passes all limits. */
export function attempt(
  book: UsageBook,
  { request, subject, ts, nodes, isSourced = false }: Usage,
  quantity: Quantity & Pick<Draw, 'held' | 'isForced'>,
  settles?: SettledHold,
): Attempt {
  const before = book.meterOf(subject);
  const { properties } = request;
  const isForced = quantity.isForced ?? false;
  const counted = { subject, properties, quantity, before, isForced, isSourced };
  const change = settles === undefined ? counted : { ...counted, settles };
  const drawn = (of: Quantity & Pick<Draw, 'held' | 'isForced'>) => draw(subject.terms, before, of, ts);
  const force = () => drawn({ ...quantity, isForced: true });
  const decided = decide(book, nodes, drawn(quantity), change, force);
  return decided.rejection === null ? { ...decided, quantity } : decided;
}

/** Accepted usage whose movement is stored. `crossings` contains the events of the limits that the movement crossed. */
export type KeptUsage = {
  readonly usage: Usage;
  readonly fitting: Fitting;
  readonly crossings: readonly EventBody[];
};

/** Fields of an event that its usage doesn't determine. */
export type EventLinks = {
  /** Hold that the usage settles. */
  readonly hold?: EventHold | null;
  /** ID of the event that another feature counts with this event. */
  readonly sourceEventId?: string | null;
};

/** Stores the event of kept usage. `about` contains the events about the hold that the usage settles. */
export function storeEvent(
  book: UsageBook,
  { usage: { request, subject, ts, nodes }, fitting, crossings }: KeptUsage,
  { hold = null, sourceEventId = null }: EventLinks,
  about: (event: UsageEventRow) => readonly EventBody[] = () => [],
): UsageEventRow {
  const { customer, subscription, feature } = subject;
  const { quantity, result } = fitting;
  book.countValue(subject, quantity.measured.key, 1n);
  book.countCell(subject, quantity);
  const event = eventOf(request, subject, quantity, result.meter, {
    details: book.details,
    ts,
    amounts: result.amounts,
    budgetId: nodes.find(({ key }) => key !== null)?.id ?? null,
    hold,
    sourceEventId,
  });
  book.addEvent(event);
  book.enter(result, subscription, { featureId: feature.id, sourceId: event.id });
  if (sourceEventId === null) book.emit(customer.id, usageRecorded(subject, feature, event));
  book.tell(subject, result, [...crossings, ...about(event)]);
  return event;
}
