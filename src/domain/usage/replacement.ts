// Replacements of corrected usage events (PRM-126).
import type { Rejection } from '../errors/errors.ts';
import { latestAfter } from '../meters/measure.ts';
import type { ConsumingSubscription, UsageCounterRow } from '../rows/usage-rows.ts';
import { counted, type Meter } from './admission.ts';
import type { EventLinks } from './attempt.ts';
import type { Subject, UsageBook } from './book.ts';
import type { ReplacementFields } from './correction-request.ts';
import { timeProblem } from './event-checks.ts';
import { eventOf } from './event-row.ts';
import { type PriceAndCost, priceAndCostOf, recordedAfter } from './price-and-cost.ts';
import type { PricedRequest, Quantity, UsageEventRow } from './record.ts';

/** Returns the fields of the replacement that determine its price, with the values of the replaced event by default. */
function requestFor(replacement: ReplacementFields, event: UsageEventRow): PricedRequest {
  const { timestamp: _timestamp, properties, ...fields } = replacement;
  const isStated =
    fields.value !== null || fields.quantity !== null || fields.model !== null || event.model !== null;
  const stated = isStated
    ? fields
    : { ...fields, value: event.quantity === null ? event.value : null, quantity: event.quantity };
  // A feature without a level that counts the events of a feature with a level ignores the kind.
  const isIgnored = event.sourceEventId !== null && event.levelKind === null;
  const levelKind = isIgnored ? null : (fields.levelKind ?? event.levelKind);
  return { ...stated, levelKind, properties: properties ?? event.properties };
}

/** Returns the request that records a replacement, and its time. Rejects a time that an event can't have. */
export function replacementOf(
  book: UsageBook,
  { startDate }: Pick<ConsumingSubscription, 'startDate'>,
  replacement: ReplacementFields,
  event: UsageEventRow,
): { readonly request: PricedRequest; readonly ts: Date } | Rejection {
  const { timestamp } = replacement;
  const ts = timestamp ?? event.ts;
  const outdated = timestamp === null ? null : timeProblem(ts, book.details.now, startDate);
  return outdated ?? { request: requestFor(replacement, event), ts };
}

/** Replacement with its quantity, and the counter after it. */
export type Replaced = {
  readonly request: PricedRequest;
  readonly quantity: Quantity;
  readonly ts: Date;
  readonly counter: UsageCounterRow;
  readonly amounts: PriceAndCost;
};

export function replaced(
  book: UsageBook,
  subject: Subject,
  counter: UsageCounterRow,
  replacement: ReplacementFields,
  event: UsageEventRow,
): Replaced | Rejection {
  const { terms, subscription } = subject;
  const replacing = replacementOf(book, subscription, replacement, event);
  if ('code' in replacing) return replacing;
  const { request, ts } = replacing;
  const quantity = book.quantityOf(request, subject, ts);
  if ('code' in quantity) return quantity;
  const { measured, units, price } = quantity;
  const latestAt = latestAfter(terms.meter?.document ?? null, counter, measured, ts);
  const level = quantity.level?.after ?? counter.level;
  const after = { ...counted({ counter }, { units, cost: 0n, price }), latestAt, level };
  const before = { ...counter, cells: book.cells.of(subject)?.totals() };
  const amounts = priceAndCostOf(terms, before, { ...after, cells: quantity.cells }, quantity, []);
  book.countValue(subject, measured.key, 1n);
  book.countCell(subject, quantity);
  const recorded = recordedAfter(after.recorded, amounts.price);
  return { request, quantity, ts, counter: { ...after, recorded }, amounts };
}

/** Stores the replacement. Returns `null` if the event is only voided. */
export function recordReplacement(
  book: UsageBook,
  {
    subject,
    budgetId,
    sourceEventId = null,
    levelSeq,
  }: Pick<EventLinks, 'sourceEventId'> &
    Pick<UsageEventRow, 'budgetId' | 'levelSeq'> & { readonly subject: Subject },
  replacement: Replaced | null,
  after: Meter,
): UsageEventRow | null {
  if (replacement === null) return null;
  const { request, quantity, ts, amounts } = replacement;
  const of = { eventId: null, properties: request.properties };
  const { details } = book;
  const links = { details, ts, amounts, budgetId, sourceEventId };
  const event = { ...eventOf(of, subject, quantity, after, links), levelSeq };
  book.events.push(event);
  return event;
}
