// Decides usage of a known quantity, and stores accepted usage in the book.
import type { Rejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import type { SettledHold } from '../holds/gauges.ts';
import type { EventHold } from '../holds/hold.ts';
import type { LimitNode, Tried } from '../limits/admission.ts';
import type { Accepted, Draw, Meter, Rejected } from './admission.ts';
import type { Subject, UsageBook } from './book.ts';
import { isCountable, tooLarge } from './countable.ts';
import { draw } from './draw.ts';
import { usageRecorded } from './event-data.ts';
import { eventOf } from './event-row.ts';
import { limitRejection } from './limit-rejection.ts';
import type { PriceAndCost } from './price-and-cost.ts';
import type { Quantity, UsageEventRow, UsageRequest } from './record.ts';
import type { UsageMovement } from './usage-limits.ts';

/** Usage of a feature with its time and the nodes whose limits count it. */
export type Usage = {
  readonly request: Pick<UsageRequest, 'eventId' | 'properties'>;
  readonly subject: Subject;
  readonly ts: Date;
  readonly nodes: readonly LimitNode[];
};

/** Usage that the included units and the pool accept, and the limits at the usage. */
type Counted = {
  readonly quantity: Quantity;
  readonly before: Meter;
  readonly result: Accepted & { readonly amounts: PriceAndCost };
  readonly movement: UsageMovement;
  readonly tried: readonly Tried[];
};

/** Result of an attempt. `rejected` is the result of rejected usage that changes the account or the counter. */
export type Attempt =
  | (Counted & { readonly rejection: null })
  | {
      readonly rejection: Rejection;
      readonly before: Meter;
      readonly rejected: Rejected | null;
      readonly tried: readonly Tried[];
    };

export type Fitting = Extract<Attempt, { readonly rejection: null }>;

/** Decides usage without storing it. If `settles` is given, the usage settles a hold, and `isForced` usage passes all limits. */
export function attempt(
  book: UsageBook,
  { request, subject, ts, nodes }: Usage,
  quantity: Quantity & Pick<Draw, 'held' | 'isForced'>,
  settles?: SettledHold,
): Attempt {
  const { terms } = subject;
  const before = book.meterOf(subject);
  const result = draw(terms, before, quantity, ts);
  if ('rejection' in result) return { rejection: result.rejection, before, rejected: result, tried: [] };
  if (!isCountable(terms, result.meter)) return { rejection: tooLarge, before, rejected: null, tried: [] };
  const { properties } = request;
  const counted = { subject, properties, quantity, before, after: result.meter };
  const movement: UsageMovement = settles === undefined ? counted : { ...counted, settles };
  const tried = book.limits?.tryOn(nodes, movement) ?? [];
  const limited = quantity.isForced === true ? null : limitRejection(tried, terms);
  return limited === null
    ? { rejection: null, quantity, before, result, movement, tried }
    : { rejection: limited, before, rejected: null, tried };
}

/** Stores the effects of rejected usage: alerts, and crossings of limits. */
export function rejectUsage(
  book: UsageBook,
  { subject }: Usage,
  { before, rejected, tried }: Exclude<Attempt, Fitting>,
): void {
  book.constrained.add(subject.customer.id);
  if (rejected !== null) {
    book.keep(rejected.meter, before);
    book.tell(subject, rejected);
  }
  for (const event of book.limits?.reject(tried, subject) ?? []) book.emit(subject.customer.id, event);
}

/** Stores accepted usage as an event. `about` contains the events about the hold that the usage settles. */
export function storeUsage(
  book: UsageBook,
  { request, subject, ts, nodes }: Usage,
  { quantity, before, result, movement, tried }: Fitting,
  hold: EventHold | null = null,
  about: (event: UsageEventRow) => readonly EventBody[] = () => [],
): UsageEventRow {
  const { customer, subscription, feature } = subject;
  const counted = book.limits?.accept(nodes, tried, movement);
  book.keep({ ...result.meter, account: counted?.account ?? result.meter.account }, before);
  book.countValue(subject, quantity.measured.key, 1n);
  book.countCell(subject, quantity);
  const event = eventOf(request, subject, quantity, result.meter, {
    details: book.details,
    ts,
    amounts: result.amounts,
    budgetId: nodes.find(({ key }) => key !== null)?.id ?? null,
    hold,
  });
  book.addEvent(event);
  book.enter(result, subscription, { featureId: feature.id, sourceId: event.id });
  book.emit(customer.id, usageRecorded(subject, feature, event));
  book.tell(subject, result);
  for (const crossing of [...(counted?.events ?? []), ...about(event)]) book.emit(customer.id, crossing);
  return event;
}
