// Prices of quantities. Prices are exact until the caller rounds them to minor units or balance units.
import { exactOf } from './decimal.ts';
import {
  compare,
  type Exact,
  isZero,
  larger,
  minus,
  plus,
  roundedTo,
  smaller,
  times,
  whole,
  wholePart,
  zero,
} from './exact.ts';
import { models } from './models.ts';
import type { Part } from './parts.ts';
import type { Rate } from './rate.ts';

/** Largest integer part of a quantity: the largest integer that a JSON number represents exactly (PRM-106). */
export const largestQuantity = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Largest price of one feature for one period, in minor units (PRM-106). An invoice can contain 100 such prices.
 */
const largestPrice = 90_000_000_000_000n;

/**
 * Returns the parts of the price of a quantity, before the minimum and the maximum. Empty for the quantity 0. Throws a
 * RangeError for a negative quantity.
 */
export function partsOf(rate: Rate, quantity: Exact): readonly Part[] {
  if (quantity.numerator < 0n) throw new RangeError("A quantity can't be negative.");
  return isZero(quantity) ? [] : models[rate.model].parts(rate, quantity);
}

/** Applies the maximum of a rate to an amount. */
export const withMaximum = ({ maximum }: Rate, amount: Exact): Exact =>
  maximum === null ? amount : smaller(exactOf(maximum), amount);

/** Applies the minimum and the maximum of a rate to the sum of the parts of a price. */
export const withBounds = (rate: Rate, amount: Exact): Exact =>
  withMaximum(rate, rate.minimum === null ? amount : larger(exactOf(rate.minimum), amount));

/**
 * Returns the exact price of a quantity, in units of the asset (PRM-100). The price of 0 is 0. The quantity is the
 * excess above the free units (PRM-2), and can't be negative.
 */
export function priceOf(rate: Rate, quantity: Exact): Exact {
  if (isZero(quantity)) return zero;
  return withBounds(
    rate,
    partsOf(rate, quantity).reduce((sum, { amount }) => plus(sum, amount), zero),
  );
}

/**
 * Returns the price of a quantity in units of `1 ÷ scale`, rounded half up. For minor units, `scale` is the number of
 * minor units in one currency unit. For ten-thousandths, `scale` is `rateScale`.
 */
export const roundedPrice = (rate: Rate, quantity: Exact, scale: bigint): bigint =>
  roundedTo(priceOf(rate, quantity), scale);

/** Returns true if a price in units of the asset can be invoiced for one feature and period (PRM-106). */
export const isPriceBillable = (price: Exact, scale: bigint): boolean =>
  compare(times(price, whole(scale)), whole(largestPrice)) <= 0;

/**
 * Returns true if a quantity can be invoiced: neither its integer part nor its price exceeds the maximum (PRM-106).
 * `scale` is the number of minor units in one unit of the currency.
 */
export const isBillable = (rate: Rate, quantity: Exact, scale: bigint): boolean =>
  wholePart(quantity) <= largestQuantity && isPriceBillable(priceOf(rate, quantity), scale);

/**
 * Returns the lowest price of a quantity among the versions of a rate: the version at the start of the period and all
 * later versions (PRM-5). `version` is the index of the cheapest version, or of the earliest if prices are equal.
 * Throws if there is no version.
 */
export function heldPrice(
  versions: readonly Rate[],
  quantity: Exact,
): { readonly price: Exact; readonly version: number } {
  const prices = versions.map((rate, version) => ({ price: priceOf(rate, quantity), version }));
  return prices.reduce((best, next) => (compare(next.price, best.price) < 0 ? next : best));
}

/**
 * Returns the number of balance units that an event deducts: the rounded price of the window after the event minus
 * the rounded price before it (PRM-101). 0 if rounding leaves the price unchanged, and negative if the price falls.
 */
export const deduction = (before: Exact, after: Exact, scale: bigint): bigint =>
  roundedTo(after, scale) - roundedTo(before, scale);

/**
 * Returns the increase in the price when the high-water mark of a period rises to a new quantity (PRM-3): the price
 * of the new quantity minus the highest price of an earlier mark in the period. Never negative. `reached` contains
 * the prices of the opening quantity and of each later mark.
 */
export const priceRise = (reached: readonly Exact[], price: Exact): Exact =>
  larger(zero, minus(price, reached.reduce(larger, zero)));
