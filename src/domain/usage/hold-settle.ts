// Settles holds: records usage that names its hold (LIM-56 to LIM-58, LIM-63 to LIM-66).
import type { Rejection } from '../errors/errors.ts';
import type { EventBody } from '../events/event-data.ts';
import { gaugesAfter } from '../holds/gauges.ts';
import { type EventHold, ended, type HoldRow, isTooLate } from '../holds/hold.ts';
import type { SettleStep } from '../holds/steps.ts';
import { throttleOf } from '../limits/throttle.ts';
import { minOf } from '../money/money.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { exactText, larger, minus, smaller, zero } from '../rates/exact.ts';
import type { Fitting, Usage } from './attempt.ts';
import type { Subject, UsageBook } from './book.ts';
import { otherEvent, repeatsMeasured, repetitionProblem, timeProblem } from './event-checks.ts';
import { chargeSettlement } from './hold-charge.ts';
import { expireDue, freeGauges, holdSubject } from './hold-end.ts';
import { holdEvent, usageUncounted } from './hold-events.ts';
import { modelsFor } from './hold-open.ts';
import {
  holdNotFound,
  holdReleased,
  holdSettled,
  holdTooLate,
  otherBudget,
  otherFeature,
} from './hold-problems.ts';
import { settleAfterEnd } from './hold-uncounted.ts';
import { nodesOfHold } from './movement-nodes.ts';
import type { Quantity, UsageEventRow, UsageRequest } from './record.ts';
import type { Recorded } from './record-event.ts';
import { partsOf, storeUsage } from './sourced.ts';
import { isStoredGauge, requestedBudgetId } from './usage-limits.ts';

/** Returns the last settlement of a hold. `null` if the hold wasn't settled. */
const lastEventOf = (book: UsageBook, { lastEventId }: HoldRow): UsageEventRow | null =>
  lastEventId === null
    ? null
    : (book.events.find(({ id }) => id === lastEventId) ?? book.details.holdEvents.get(lastEventId) ?? null);

/** Returns true if a request repeats a stored settlement. */
function repeats(
  stored: UsageEventRow,
  hold: HoldRow,
  request: UsageRequest,
  subject: Subject | null,
  quantity: Quantity | null,
): boolean {
  if (stored.hold?.id !== hold.id) return false;
  if (subject === null) return true;
  if (repeatsMeasured(stored, subject, hold.budgetId, request)) return true;
  const meter = subject.terms.meter?.document ?? null;
  const of = { customerId: hold.customerId, featureId: hold.featureId, budgetId: hold.budgetId, meter };
  return quantity !== null && repetitionProblem(stored, of, quantity) === null;
}

/** Returns the hold after a settlement of a quantity. */
function settledHold(
  hold: HoldRow,
  { quantity, tried }: Fitting,
  event: UsageEventRow,
  { isFinal, isLate, at }: { readonly isFinal: boolean; readonly isLate: boolean; readonly at: Date },
): HoldRow {
  const settled = hold.settled + quantity.units;
  const next: HoldRow = { ...hold, settled, lastEventId: event.id };
  if (isFinal) return ended(next, 'settled', at);
  if (isLate) return next;
  const freed = hold.price === null ? null : smaller(exactDecimal(hold.price), quantity.price ?? zero);
  return {
    ...next,
    units: hold.units - minOf(hold.units, quantity.units),
    price:
      hold.price === null || freed === null
        ? null
        : exactText(larger(zero, minus(exactDecimal(hold.price), freed))),
    gauges: gaugesAfter(hold.gauges, tried.filter(isStoredGauge)),
  };
}

/** Returns the rejection of a settlement that doesn't match its hold. `null` if the settlement matches. */
function mismatch(book: UsageBook, hold: HoldRow, request: UsageRequest): Rejection | null {
  const customer = book.details.customers.get(request.customerId);
  if (customer !== undefined && customer.id !== hold.customerId) return holdNotFound;
  if (request.featureCode !== '' && book.catalog.features.get(hold.featureId)?.code !== request.featureCode)
    return otherFeature;
  if (book.limits === null) return null;
  const budgetId = requestedBudgetId(request, hold.customerId, book.limits);
  return budgetId !== null && budgetId !== hold.budgetId ? otherBudget : null;
}

/** Returns the rejection of a hold that can't be settled. `null` if it can. */
function statusProblem(hold: HoldRow, at: Date): Rejection | null {
  if (hold.status === 'released') return holdReleased;
  if (hold.status === 'settled') return holdSettled;
  return isTooLate(hold, at) ? holdTooLate : null;
}

type Settlement = {
  readonly hold: HoldRow;
  readonly step: SettleStep;
  readonly usage: Usage & { readonly request: UsageRequest };
};

/** Charges and stores a settlement, and changes its hold. */
function storeSettlement(book: UsageBook, { hold, step, usage }: Settlement, full: Quantity): Recorded {
  const { subject } = usage;
  const isLate = hold.status === 'expired';
  const parts = partsOf(book, usage, full);
  if ('code' in parts) return { rejection: parts };
  const charged = chargeSettlement(book, usage, hold, full, step.isFinal);
  if (charged.rejection !== null) return { rejection: charged.rejection };
  const { fitting, uncounted } = charged;
  if (uncounted !== null) book.constrained.add(subject.customer.id);
  const about: EventHold = { id: hold.id, isLate, ...(uncounted === null ? {} : { uncounted }) };
  const { code } = subject.feature;
  const eventsOf = (event: UsageEventRow): EventBody[] => [
    ...(book.limits?.exceed(fitting.tried, subject) ?? []),
    ...(isLate ? [holdEvent('hold.settled_late', subject.customer, hold, code, event.id)] : []),
    ...(uncounted === null ? [] : [usageUncounted(subject.customer, hold, code, event.id, uncounted)]),
  ];
  const stored = storeUsage(book, usage, fitting, { parts, isForced: true, hold: about }, eventsOf);
  if ('rejection' in stored) return stored;
  const { event } = stored;
  const measured = { ...fitting, quantity: full };
  const state = { isFinal: step.isFinal, isLate, at: book.now };
  if (step.isFinal && !isLate)
    freeGauges(book, hold, gaugesAfter(hold.gauges, fitting.tried.filter(isStoredGauge)));
  book.holds.store(settledHold(hold, measured, event, state));
  return { event, isRepetition: false, throttle: throttleOf(fitting.tried) };
}

/** Settles a hold, or returns the rejection. Usage is never rejected because of a limit, a pool, or the included units. */
export function settleHold(book: UsageBook, request: UsageRequest, step: SettleStep): Recorded {
  const found = book.holds.find(step.hold);
  if (found === null)
    return { rejection: step.isEvent === true ? { ...holdNotFound, param: 'hold' } : holdNotFound };
  const problem = mismatch(book, found, request);
  if (problem !== null) return { rejection: problem };
  const hold = expireDue(book, found) ?? found;
  const subject = holdSubject(book, hold);
  const priced = request.properties.length === 0 ? { ...request, properties: hold.properties } : request;
  const ts = request.timestamp ?? book.now;
  const quantity = subject === null ? null : book.quantityOf(priced, subject, ts, modelsFor(hold, priced));
  const counted = quantity === null || 'code' in quantity ? null : quantity;
  const named = book.stored(request.eventId);
  const stored =
    named ??
    (request.eventId === null && step.isFinal && hold.status === 'settled' ? lastEventOf(book, hold) : null);
  if (stored !== null && repeats(stored, hold, priced, subject, counted))
    return { event: stored, isRepetition: true };
  if (named !== null) return { rejection: otherEvent };
  const unusable = statusProblem(hold, book.now);
  if (unusable !== null) return { rejection: unusable };
  if (subject === null) return settleAfterEnd(book, priced, hold, step, ts);
  if (quantity === null || 'code' in quantity) return { rejection: quantity ?? holdNotFound };
  const untimely = timeProblem(ts, book.now, subject.subscription.startDate);
  if (untimely !== null) return { rejection: untimely };
  const nodes = nodesOfHold(book.limits, hold, subject);
  return storeSettlement(book, { hold, step, usage: { request: priced, subject, ts, nodes } }, quantity);
}
