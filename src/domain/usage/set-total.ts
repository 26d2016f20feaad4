import type { Rejection } from '../errors/errors.ts';
import type { UsageAdjustmentRow } from '../rows/usage-rows.ts';
import { type Meter, setTotal } from './admission.ts';
import type { Subject, UsageBook } from './book.ts';
import { settingProblem } from './event-checks.ts';
import { limitRejection } from './limit-rejection.ts';
import { shownUnits, unitScale } from './metered-terms.ts';
import { movementNodes } from './movement-nodes.ts';
import { changeBetween, recordedAfter } from './price-and-cost.ts';
import { priceChanges } from './price-change.ts';

/** Request to set the total of a metered feature in the current window (CON-14). */
export type SetUsageRequest = {
  readonly customerId: string;
  readonly featureCode: string;
  readonly value: bigint;
  readonly reason: string | null;
};

/** Counts the rise of a total toward the limits of the customer. Returns the rejection if a limit doesn't accept the rise. */
function countRise(book: UsageBook, subject: Subject, before: Meter, after: Meter): Rejection | null {
  const { limits } = book;
  if (after.counter.total <= before.counter.total) return null;
  const nodes = movementNodes(limits, subject, null);
  if ('code' in nodes) return nodes;
  if (limits === null) return null;
  const movement = { subject, properties: [], quantity: null, before, after };
  const tried = limits.tryOn(nodes, movement);
  const rejection = limitRejection(tried, subject.terms);
  const events =
    rejection === null ? limits.accept(nodes, tried, movement).events : limits.reject(tried, subject);
  for (const event of events) book.emit(subject.customer.id, event);
  return rejection;
}

/**
 * Sets the total of a metered feature in the current window (CON-14). Fails with `validation_error` if the plan isn't
 * metered.
 */
export function setUsageTotal(
  book: UsageBook,
  request: SetUsageRequest,
): { readonly adjustment: UsageAdjustmentRow } | { readonly rejection: Rejection } {
  const subject = book.subjectOf(request.customerId, request.featureCode);
  if ('code' in subject) return { rejection: subject };
  const { customer, subscription, feature, terms } = subject;
  const problem = settingProblem(terms);
  if (problem !== null) return { rejection: problem };
  const { newId, now } = book.details;
  const before = book.meterOf(subject);
  const result = setTotal(terms, before, request.value * unitScale(terms));
  const limited = 'rejection' in result ? null : countRise(book, subject, before, result.meter);
  if (limited !== null) return { rejection: limited };
  const { counter } = result.meter;
  const amounts = changeBetween(terms, before.counter, counter);
  const recorded = recordedAfter(counter.recorded, amounts.price);
  book.keep(
    recorded === counter.recorded ? result.meter : { ...result.meter, counter: { ...counter, recorded } },
    before,
  );
  book.tell(subject, result);
  if ('rejection' in result) return { rejection: result.rejection };
  const { windowStart } = before.counter;
  const change = { kind: 'set', model: null, ts: now, windowStart } as const;
  book.priceChanges.push(...priceChanges({ ...subject, newId, now }, amounts, change));
  const adjustment: UsageAdjustmentRow = {
    id: newId('uad'),
    seq: null,
    customerId: customer.id,
    subscriptionId: subscription.id,
    featureId: feature.id,
    previousValue: shownUnits(terms, before.counter.total),
    value: request.value,
    units: terms.meter === null ? null : counter.total - before.counter.total,
    reason: request.reason,
    windowStart,
    createdAt: now,
  };
  book.adjustments.push(adjustment);
  return { adjustment };
}
