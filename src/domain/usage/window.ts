// What a window that ends leaves to be billed: units beyond the included ones, and a balance below 0 (CON-16,
// CON-27).
import { maxOf, minOf, rateToMinor } from '../money.ts';
import type { ConsumptionEntryRow, UsageCounterRow } from './rows.ts';
import type { UsageTerms } from './terms.ts';

/** A total of a window, and how much of it a plan grant covered (SUB-54). */
export type WindowUse = Pick<UsageCounterRow, 'total' | 'covered'>;

/**
 * Units of a window that cost nothing: the included ones, or more where a plan grant covered more (CON-16,
 * SUB-54).
 */
export const freeUnits = ({ includedAmount }: UsageTerms, { covered }: WindowUse): bigint =>
  maxOf(includedAmount, covered);

/** Units that are to be billed; 0 without effective overage, whatever the total (CON-16, CON-17). */
export const overageUnits = (terms: UsageTerms, use: WindowUse): bigint =>
  terms.unlimited || !terms.allowsOverage ? 0n : maxOf(0n, use.total - freeUnits(terms, use));

/** A consumption entry as the attribution needs it; `amount` is negative. */
export type Drawn = Pick<ConsumptionEntryRow, 'featureId' | 'amount'>;

/**
 * The share of a deficit that one feature caused, or none where nothing was consumed; at rate scale and in
 * minor units of the currency.
 */
export type DeficitShare = {
  readonly featureId: string | null;
  readonly rate: bigint;
  readonly amountMinor: bigint;
};

/**
 * Lays a deficit (positive, rate scale) on the features that consumed last (CON-27). `latestFirst` are the
 * window's consumption entries going backwards, as far as needed; what they do not cover was taken by a
 * manual adjustment, and goes to the feature that consumed first of them, else to none. Features come in the
 * order in which they first consumed after zero was crossed; the minor amounts add up to the rounded deficit,
 * the last one taking the remainder.
 */
export function attributeDeficit(
  deficit: bigint,
  latestFirst: readonly Drawn[],
  currency: string,
): DeficitShare[] {
  const shares = new Map<string, bigint>();
  let left = deficit;
  for (const { featureId, amount } of latestFirst) {
    if (left === 0n) break;
    if (featureId === null) continue;
    const part = minOf(left, -amount);
    const known = shares.get(featureId) ?? 0n;
    // Deleted first, so that the order is that of the earliest entry counted.
    shares.delete(featureId);
    shares.set(featureId, known + part);
    left -= part;
  }
  const ordered: [string | null, bigint][] = [...shares].reverse();
  const [first] = ordered;
  if (first === undefined) ordered.push([null, deficit]);
  else first[1] += left;
  let rest = rateToMinor(deficit, currency);
  return ordered.map(([featureId, rate], index) => {
    const amountMinor = index === ordered.length - 1 ? rest : minOf(rest, rateToMinor(rate, currency));
    rest -= amountMinor;
    return { featureId, rate, amountMinor };
  });
}
