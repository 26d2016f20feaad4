import type { Rejection } from '../errors/errors.ts';
import type { UsageAdjustmentRow } from '../rows/usage-rows.ts';
import { setTotal } from './admission.ts';
import type { UsageBook } from './book.ts';
import { settingProblem } from './event-checks.ts';
import { shownUnits, unitScale } from './metered-terms.ts';
import { changeBetween, recordedAfter } from './price-and-cost.ts';
import { priceChanges } from './price-change.ts';

/** Request to set the total of a metered feature in the current window (CON-14). */
export type SetUsageRequest = {
  readonly customerId: string;
  readonly featureCode: string;
  readonly value: bigint;
  readonly reason: string | null;
};

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
