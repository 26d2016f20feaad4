// Invoice lines for the parts of a price. Amounts are rounded cumulatively, so that lines add up to the rounded price
// (PRM-105).
import { compare, type Exact, minus, plus, roundedTo, times, whole, zero } from './exact.ts';
import type { Part } from './parts.ts';
import { partsOf, withBounds, withMaximum } from './price.ts';
import type { Rate } from './rate.ts';

/**
 * Invoice line for a part of a price. The kinds `minimum` and `maximum` are for a part that the minimum raises or the
 * maximum limits. The quantity is the number of units if the kind is `units`, otherwise 1.
 */
export type RateLine = {
  readonly kind: Part['kind'] | 'minimum' | 'maximum';
  /** Index of the tier that the line charges for. */
  readonly tier: number;
  readonly quantity: Exact;
  /** Exact price of one unit in minor units. For kinds whose quantity is always 1, equal to `amount`. */
  readonly unitAmount: Exact;
  /** Amount in minor units. Can differ from the exact amount by less than one minor unit. */
  readonly amount: bigint;
  /** Number of units that the line charges for. */
  readonly units: Exact;
  /**
   * Exact cumulative price before and after this line, in units of the asset. `amount` is the difference between the
   * rounded values.
   */
  readonly before: Exact;
  readonly after: Exact;
};

/**
 * Rounds amounts cumulatively: each result is the difference between two consecutive rounded sums. The results add up
 * to the rounded total. If no amount is negative, no result is negative.
 */
export function cumulativelyRounded(amounts: readonly Exact[], scale: bigint): readonly bigint[] {
  let sum = zero;
  return amounts.map((amount) => {
    const before = roundedTo(sum, scale);
    sum = plus(sum, amount);
    return roundedTo(sum, scale) - before;
  });
}

/** Returns the cumulative price after each part. The maximum limits every sum, and the minimum raises only the last. */
function sumsOf(rate: Rate, parts: readonly Part[]): readonly Exact[] {
  let sum = zero;
  return parts.map(({ amount }, index) => {
    sum = plus(sum, amount);
    return index === parts.length - 1 ? withBounds(rate, sum) : withMaximum(rate, sum);
  });
}

/**
 * Returns the lines of the price of a quantity, in the order of the tiers. `scale` is the number of minor units in one
 * unit of the asset. Omits lines of 0. The lines add up to `roundedPrice`.
 */
export function linesOf(rate: Rate, quantity: Exact, scale: bigint): readonly RateLine[] {
  const parts = partsOf(rate, quantity);
  const sums = sumsOf(rate, parts);
  const amounts = cumulativelyRounded(
    sums.map((sum, index) => minus(sum, sums[index - 1] ?? zero)),
    scale,
  );
  return parts.flatMap((part, index): RateLine[] => {
    const [before = zero, after = zero, amount = 0n] = [sums[index - 1], sums[index], amounts[index]];
    if (amount === 0n) return [];
    const change = compare(after, plus(before, part.amount));
    const kind = change === 0 ? part.kind : change > 0 ? 'minimum' : 'maximum';
    const shared = { kind, tier: part.tier, amount, units: part.units, before, after } as const;
    return [
      kind === 'units'
        ? { ...shared, quantity: part.units, unitAmount: times(part.unitAmount, whole(scale)) }
        : { ...shared, quantity: whole(1n), unitAmount: whole(amount) },
    ];
  });
}
