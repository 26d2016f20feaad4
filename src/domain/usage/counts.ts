// Seat and quota counts, and the high-water mark that determines their charges (CON-34 to CON-52).
import { type Rejection, specificRejection } from '../errors/errors.ts';
import { maxOf, minorPerUnit } from '../money/money.ts';
import { type Exact, larger, ratio, roundedTo, times } from '../rates/exact.ts';
import { heldAmount } from '../rates/held.ts';
import { priceRise } from '../rates/price.ts';
import type { FeatureCountRow, HighWaterStep } from '../rows/usage-rows.ts';
import { daysBetween, isoDate, type Period, totalDays } from '../time/period.ts';
import { canChangeLevel } from './system-limits.ts';
import type { UsageTerms } from './terms.ts';

/** Returns the highest count of the billing period so far, including the opening count (CON-42). */
export const highWaterMark = (count: FeatureCountRow): bigint => {
  const last = count.steps.at(-1);
  return last === undefined ? count.openingCount : BigInt(last.mark);
};

/** Returns the count after pending removals take effect (CON-44). */
export const futureCount = (count: FeatureCountRow): bigint => count.count - count.pendingRemovals;

function raiseMark(count: FeatureCountRow, value: bigint, now: Date): readonly HighWaterStep[] {
  if (value <= highWaterMark(count)) return count.steps;
  const on = isoDate(now);
  return [...count.steps.filter((step) => step.on !== on), { on, mark: String(value) }];
}

const withCount = (count: FeatureCountRow, value: bigint, now: Date): FeatureCountRow => ({
  ...count,
  count: value,
  steps: raiseMark(count, value, now),
  updatedAt: now,
});

/** Returns the rejection of a change that the limit on the included units doesn't accept. `null` if the change is allowed (CON-52). */
function levelRejection(terms: UsageTerms, before: bigint, after: bigint): Rejection | null {
  if (canChangeLevel(terms, before, after)) return null;
  const details = {
    current: Number(before),
    included: Number(terms.includedAmount),
    remaining: Number(maxOf(0n, terms.includedAmount - before)),
  };
  return specificRejection('included_limit_reached', 'amount', {
    values: { includedAmount: terms.includedAmount },
    details,
  });
}

/**
 * Sets the number of seats, at least 0. An increase takes effect immediately and cancels pending removals
 * (CON-43). A decrease takes effect at the end of the billing period (CON-44). Fails with
 * `included_limit_reached` (CON-52).
 */
export function wantSeats(
  terms: UsageTerms,
  count: FeatureCountRow,
  wanted: bigint,
  now: Date,
): FeatureCountRow | Rejection {
  if (wanted <= count.count) return { ...count, pendingRemovals: count.count - wanted, updatedAt: now };
  return (
    levelRejection(terms, count.count, wanted) ?? withCount({ ...count, pendingRemovals: 0n }, wanted, now)
  );
}

/** Adds 1 or more seats. Otherwise equivalent to `wantSeats`. */
export const addSeats = (
  terms: UsageTerms,
  count: FeatureCountRow,
  added: bigint,
  now: Date,
): FeatureCountRow | Rejection => wantSeats(terms, count, futureCount(count) + added, now);

/**
 * Schedules the removal of 1 or more seats for the end of the billing period. Fails with `insufficient_seats`
 * if fewer seats remain (CON-44).
 */
export function removeSeats(count: FeatureCountRow, removed: bigint, now: Date): FeatureCountRow | Rejection {
  if (removed > futureCount(count)) {
    return specificRejection('insufficient_seats', 'removable', {
      values: { futureCount: futureCount(count) },
      param: 'count',
    });
  }
  return { ...count, pendingRemovals: count.pendingRemovals + removed, updatedAt: now };
}

/**
 * Sets a quota count immediately. Fails with `insufficient_balance` if the count would be negative (CON-49),
 * and with `included_limit_reached` above a hard limit (CON-52).
 */
export function setQuota(
  terms: UsageTerms,
  count: FeatureCountRow,
  wanted: bigint,
  now: Date,
): FeatureCountRow | Rejection {
  if (wanted < 0n)
    return specificRejection('insufficient_balance', 'in_use', {
      values: { count: count.count },
      param: 'count',
    });
  return levelRejection(terms, count.count, wanted) ?? withCount(count, wanted, now);
}

/**
 * Starts a billing period: pending removals take effect and the high-water mark resets (CON-42, CON-45).
 * `charged` is the count that was charged for the period. Defaults to the current count.
 */
export function openPeriod(
  count: FeatureCountRow,
  now: Date,
  charged: bigint = futureCount(count),
): FeatureCountRow {
  const opened = {
    ...count,
    count: futureCount(count),
    pendingRemovals: 0n,
    openingCount: charged,
    steps: [],
    updatedAt: now,
  };
  return { ...opened, steps: raiseMark(opened, opened.count, now) };
}

/** Marks all increases of the billing period so far as covered, so that they aren't charged (SUB-54). */
export const coverRises = (count: FeatureCountRow, now: Date): FeatureCountRow => ({
  ...count,
  openingCount: highWaterMark(count),
  steps: [],
  updatedAt: now,
});

/**
 * Units to charge because the high-water mark increased, from the day of the increase to the end of the
 * period. `amountMinor` is rounded once (CON-38).
 */
export type TrueUp = {
  readonly on: string;
  readonly units: bigint;
  /** Exact increase of the price for a full period, in currency units. */
  readonly rise: Exact;
  readonly days: bigint;
  readonly amountMinor: bigint;
};

/**
 * Returns the charges for increases in the high-water mark above the included units during an ending period,
 * one charge per day (CON-38): the price of the new mark minus the highest price of an earlier mark in the period,
 * so that splitting an increase doesn't change the charge (PRM-3). Uses the included units and rates at the end of
 * the period. Empty if overage isn't sold or has no price. If a change ends the period early, `until` is the end of
 * the charged days (exclusive).
 */
export function trueUps(
  terms: UsageTerms,
  count: FeatureCountRow,
  period: Period,
  until: Date = period.end,
): TrueUp[] {
  const { rates, includedAmount } = terms;
  if (terms.unlimited || !terms.allowsOverage || rates === null) return [];
  const length = BigInt(totalDays(period));
  let reached = maxOf(includedAmount, count.openingCount);
  let highest = heldAmount(rates, reached - includedAmount);
  return count.steps.flatMap(({ on, mark }) => {
    const units = BigInt(mark) - reached;
    if (units <= 0n) return [];
    reached = BigInt(mark);
    const price = heldAmount(rates, reached - includedAmount);
    const rise = priceRise([highest], price);
    highest = larger(highest, price);
    const days = BigInt(Math.max(0, daysBetween(new Date(`${on}T00:00:00.000Z`), until)));
    const share = times(rise, ratio(days, length));
    return [{ on, units, rise, days, amountMinor: roundedTo(share, minorPerUnit(terms.currency)) }];
  });
}

export const countId = (customerId: string, featureId: string): string => `${customerId}:${featureId}`;

/** Returns an empty count for a feature that the customer has never used (CON-51). */
export const noCount = (customerId: string, featureId: string, now: Date): FeatureCountRow => ({
  id: countId(customerId, featureId),
  seq: null,
  customerId,
  featureId,
  count: 0n,
  pendingRemovals: 0n,
  openingCount: 0n,
  steps: [],
  updatedAt: now,
});
