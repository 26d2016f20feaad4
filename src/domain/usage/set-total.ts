import type { Rejection } from '../errors/errors.ts';
import type { UsageAdjustmentRow } from '../rows/usage-rows.ts';
import { setTotal } from './admission.ts';
import { decide, keepMoved, rejectMovement } from './attempt.ts';
import type { UsageBook } from './book.ts';
import { settingProblem } from './event-checks.ts';
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
  const isRise = !('rejection' in result) && result.meter.counter.total > before.counter.total;
  const nodes = isRise ? movementNodes(book.limits, subject, null) : [];
  if ('code' in nodes) return { rejection: nodes };
  const decided = decide(book, nodes, result, { subject, properties: [], quantity: null, before });
  if (decided.rejection !== null) return rejectMovement(book, subject, decided);
  const { counter: moved } = decided.result.meter;
  const amounts = changeBetween(terms, before.counter, moved);
  const counter = { ...moved, recorded: recordedAfter(moved.recorded, amounts.price) };
  const stored = { ...decided.result, meter: { ...decided.result.meter, counter } };
  book.tell(subject, stored, keepMoved(book, nodes, { ...decided, result: stored }));
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
