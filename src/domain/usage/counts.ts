// Seats and quota: counts that rise and fall, and the high-water mark they are billed by (CON-34 to CON-52).
import { type Rejection, specificRejection } from '../errors.ts';
import { maxOf, rateToMinor } from '../money.ts';
import { daysBetween, isoDate, type Period, totalDays } from '../period.ts';
import type { FeatureCountRow, HighWaterStep } from './rows.ts';
import type { UsageTerms } from './terms.ts';

/** The highest count of the billing period so far, starting at the count it opened with (CON-42). */
export const highWaterMark = (count: FeatureCountRow): bigint => {
  const last = count.steps.at(-1);
  return last === undefined ? count.openingCount : BigInt(last.mark);
};

/** What the count becomes when the pending removals are through (CON-44). */
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

/**
 * The rejection of an increase that ends above the included units without effective overage; null when it is
 * allowed (CON-52).
 */
function limitRejection(terms: UsageTerms, before: bigint, after: bigint): Rejection | null {
  if (terms.unlimited || terms.allowsOverage || after <= terms.includedAmount || after <= before) return null;
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
 * Sets the count of seats that is wanted from now on, at least 0. More takes effect at once and first
 * withdraws pending removals (CON-43); fewer leave at the end of the billing period (CON-44). Rejects with
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
    limitRejection(terms, count.count, wanted) ?? withCount({ ...count, pendingRemovals: 0n }, wanted, now)
  );
}

/** Adds seats, at least 1; see `wantSeats`. */
export const addSeats = (
  terms: UsageTerms,
  count: FeatureCountRow,
  added: bigint,
  now: Date,
): FeatureCountRow | Rejection => wantSeats(terms, count, futureCount(count) + added, now);

/**
 * Schedules the removal of seats for the end of the billing period, at least 1. Rejects with
 * `insufficient_seats` more than are left (CON-44).
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
 * Sets a quota count, at once. Rejects with `insufficient_balance` below 0 (CON-49), `included_limit_reached`
 * above a hard limit (CON-52).
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
  return limitRejection(terms, count.count, wanted) ?? withCount(count, wanted, now);
}

/**
 * The count a new billing period opens with: pending removals are through, the mark starts again (CON-42,
 * CON-45), at the count that was charged for the period where another one was.
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

/**
 * The count once what it rose to so far is covered: no rise of the billing period up to now is billed
 * (SUB-54).
 */
export const coverRises = (count: FeatureCountRow, now: Date): FeatureCountRow => ({
  ...count,
  openingCount: highWaterMark(count),
  steps: [],
  updatedAt: now,
});

/**
 * Whether a change of the count in force reaches the included units from below, which `seats.limit_reached`
 * tells (CON-47).
 */
export const reachesLimit = (terms: UsageTerms, before: bigint, after: bigint): boolean =>
  !terms.unlimited && before < terms.includedAmount && after >= terms.includedAmount;

/**
 * Units to bill for a rise of the mark, from the day of the rise to the end of the period; `amountMinor` is
 * rounded once (CON-38).
 */
export type TrueUp = {
  readonly on: string;
  readonly units: bigint;
  readonly days: bigint;
  readonly amountMinor: bigint;
};

/**
 * The true-ups of a period that ends, a line for each day on which the mark rose beyond the included units
 * (CON-38). Included units and unit price are those held at its end; nothing without effective overage or
 * price. `until` cuts the days short when a change ends the period early.
 */
export function trueUps(
  terms: UsageTerms,
  count: FeatureCountRow,
  period: Period,
  until: Date = period.end,
): TrueUp[] {
  const price = terms.unitPriceRate;
  if (terms.unlimited || !terms.allowsOverage || price === null) return [];
  const length = BigInt(totalDays(period));
  let reached = maxOf(terms.includedAmount, count.openingCount);
  return count.steps.flatMap(({ on, mark }) => {
    const units = BigInt(mark) - reached;
    if (units <= 0n) return [];
    reached = BigInt(mark);
    const days = BigInt(Math.max(0, daysBetween(new Date(`${on}T00:00:00.000Z`), until)));
    return [{ on, units, days, amountMinor: rateToMinor(units * price * days, terms.currency, length) }];
  });
}

/** The id of the count of a customer's feature. */
export const countId = (customerId: string, featureId: string): string => `${customerId}:${featureId}`;

/** A count of 0 for a customer that never had one (CON-51). */
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
