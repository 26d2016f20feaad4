// Versions of a rate during a subscriber's period. If a rate changes during a period, the cheapest version applies
// (PRM-5).
import { maxOf, minorPerUnit, rateScale } from '../money/money.ts';
import { exactOf, noAmount, powerOfTen, storedDecimal } from './decimal.ts';
import {
  compare,
  type Exact,
  isZero,
  minus,
  plus,
  ratio,
  roundedTo,
  roundedUp,
  times,
  whole,
} from './exact.ts';
import { deduction, heldPrice, largestQuantity, priceOf } from './price.ts';
import { isSameRate, type Rate, type RateDocument } from './rate.ts';

/** Versions of a rate, oldest first. The version with the lowest price for the quantity applies. Never empty. */
export type HeldRate = readonly Rate[];

/** Catalog rows are immutable and used for many decisions, so each stored rate is parsed once. */
const parsed = new WeakMap<RateDocument, HeldRate>();

/** Converts a stored rate to a list with a single version. Doesn't validate the rate. */
export function storedRate(document: RateDocument): HeldRate {
  const known = parsed.get(document);
  if (known !== undefined) return known;
  const { model, per, tiers, minimum, maximum } = document;
  const rate: Rate = {
    model,
    per: BigInt(per),
    tiers: tiers.map(({ upTo, amount, flat }) => ({
      upTo: upTo === null ? null : storedDecimal(upTo),
      amount: storedDecimal(amount),
      flat: storedDecimal(flat),
    })),
    minimum: minimum === undefined ? null : storedDecimal(minimum),
    maximum: maximum === undefined ? null : storedDecimal(maximum),
  };
  const held = [rate];
  parsed.set(document, held);
  return held;
}

/**
 * Returns the rate with one price per unit, `price × 10^-decimals` in units of the asset. The default is ten-thousandths
 * (10,000 = 1.00).
 */
export const perUnitRate = (price: bigint, decimals = 4): Rate => ({
  model: 'per_unit',
  per: 1n,
  tiers: [{ upTo: null, amount: { units: price, decimals }, flat: noAmount }],
  minimum: null,
  maximum: null,
});

/**
 * Returns the unit price in ten-thousandths (10,000 = 1.00) if the rate consists only of a unit price. `null` if the
 * rate has another model, prices several units together, or has a minimum, a maximum, or more than 4 decimals.
 */
export function plainUnitPrice({ model, per, tiers, minimum, maximum }: Rate): bigint | null {
  const [tier] = tiers;
  if (model !== 'per_unit' || tier === undefined || per !== 1n || minimum !== null || maximum !== null)
    return null;
  const { units, decimals } = tier.amount;
  if (decimals <= 4) return units * powerOfTen(4 - decimals);
  const excess = powerOfTen(decimals - 4);
  return units % excess === 0n ? units / excess : null;
}

/** Returns the lowest unit price of the versions. `null` unless every version consists only of a unit price. */
export function heldUnitPrice(rates: HeldRate): bigint | null {
  let lowest: bigint | null = null;
  for (const rate of rates) {
    const price = plainUnitPrice(rate);
    if (price === null) return null;
    if (lowest === null || price < lowest) lowest = price;
  }
  return lowest;
}

/**
 * Merges two lists of versions. Returns the other list if one is `null`, and `null` if both are. If both consist only
 * of unit prices, returns the cheaper one.
 */
export function heldTogether(earlier: HeldRate | null, later: HeldRate | null): HeldRate | null {
  if (earlier === null || later === null) return earlier ?? later;
  const [before, after] = [heldUnitPrice(earlier), heldUnitPrice(later)];
  if (before !== null && after !== null) return after < before ? later : earlier;
  return [...earlier, ...later.filter((rate) => !earlier.some((one) => isSameRate(one, rate)))];
}

/** Returns the exact price of a number of units, in units of the asset. */
export function heldAmount(rates: HeldRate, units: bigint): Exact {
  const price = heldUnitPrice(rates);
  return price === null ? heldPrice(rates, whole(units)).price : ratio(units * price, rateScale);
}

/** Returns the price of a number of units in minor units of the currency, rounded half up. */
export const heldMinor = (rates: HeldRate, units: bigint, currency: string): bigint =>
  roundedTo(heldAmount(rates, units), minorPerUnit(currency));

/** Returns the version that applies to a quantity. */
export const heldVersion = (rates: HeldRate, quantity: Exact): Rate => {
  const rate = rates[heldPrice(rates, quantity).version];
  if (rate === undefined) throw new Error('A held rate has no version.');
  return rate;
};

/** Returns the price of the first unit, rounded half up to ten-thousandths (10,000 = 1.00). */
export const firstUnitPrice = (rates: HeldRate): bigint =>
  heldUnitPrice(rates) ?? roundedTo(heldAmount(rates, 1n), rateScale);

/**
 * Returns the credits for the first unit as a whole number, at least 1. 0 if the rate charges nothing. `rates` must be in
 * credits.
 */
export const creditsPerUnit = (rates: HeldRate): bigint =>
  canCharge(rates) ? maxOf(1n, roundedTo(heldAmount(rates, 1n), 1n)) : 0n;

/** Returns true if unit number `unit` raises the price. */
export const isUnitCharged = (rates: HeldRate, unit: bigint): boolean =>
  unit > 0n && compare(heldAmount(rates, unit), heldAmount(rates, unit - 1n)) > 0;

const isFree = ({ tiers, minimum }: Rate): boolean =>
  tiers.every(({ amount, flat }) => amount.units === 0n && flat.units === 0n) &&
  (minimum === null || minimum.units === 0n);

/** Returns true if a quantity can have a price above 0. */
export const canCharge = (rates: HeldRate): boolean => !rates.some(isFree);

/**
 * Returns the price of one unit in pool units, of which one unit of the asset has `scale`. `null` if the rate isn't only a
 * price per unit, or if the price isn't a whole number of pool units.
 */
export function heldPoolPrice(rates: HeldRate, scale: bigint): bigint | null {
  const price = heldUnitPrice(rates);
  return price === null || (price * scale) % rateScale !== 0n ? null : (price * scale) / rateScale;
}

/**
 * Returns the largest number of units above `used` that a budget in pool units covers (PRM-103). `scale` is the number of
 * pool units in one unit of the asset. `null` if the budget covers any number. The price must not fall with a larger
 * quantity.
 */
export function unitsCovered(rates: HeldRate, used: bigint, budget: bigint, scale: bigint): bigint | null {
  const price = heldPoolPrice(rates, scale);
  if (price === 0n) return null;
  if (price !== null) return budget / price;
  const limit = ratio(roundedTo(heldAmount(rates, used), scale) + budget, scale);
  const isCovered = (units: bigint): boolean => compare(heldAmount(rates, used + units), limit) <= 0;
  let [covered, uncovered] = [0n, largestQuantity - used];
  if (uncovered <= 0n || isCovered(uncovered)) return null;
  while (uncovered - covered > 1n) {
    const middle = (covered + uncovered) / 2n;
    if (isCovered(middle)) covered = middle;
    else uncovered = middle;
  }
  return covered;
}

/**
 * Quantities at which the order of two prices can change: 1, the size of a package, the bounds of all tiers, the
 * first unit and the first package after each bound, and the largest quantity.
 */
const comparedQuantities = (rates: readonly Rate[]): Exact[] => [
  whole(1n),
  ...rates.flatMap(({ per, tiers }) =>
    tiers.flatMap(({ upTo }) => {
      if (upTo === null) return [whole(per)];
      const bound = exactOf(upTo);
      return [bound, plus(bound, whole(1n)), plus(bound, whole(per))];
    }),
  ),
  whole(largestQuantity),
];

/** Returns true if the second rate is cheaper for at least one quantity and never more expensive. */
export function isCheaper(before: Rate, after: Rate): boolean {
  const differences = comparedQuantities([before, after]).map((quantity) =>
    minus(priceOf(after, quantity), priceOf(before, quantity)),
  );
  return (
    differences.every(({ numerator }) => numerator <= 0n) &&
    differences.some((difference) => !isZero(difference))
  );
}

/** Deduction for usage, and the amount that must be available for it, in pool units. */
export type HeldDraw = { readonly taken: bigint; readonly required: bigint };

/**
 * Returns the deduction from a pool if the exact price of the window rises from `before` to `after` (PRM-101). `scale` is
 * the number of pool units in one unit of the asset. The pool must cover the exact price, so the required amount can
 * exceed the deduction by one pool unit (PRM-103).
 */
export const drawBetween = (before: Exact, after: Exact, scale: bigint): HeldDraw => ({
  taken: deduction(before, after, scale),
  required: roundedUp(times(after, whole(scale))) - roundedTo(before, scale),
});

/**
 * Returns the deduction from a pool for `units`, if the window already has `used` units. `scale` is the number of pool
 * units in one unit of the asset.
 */
export function drawOf(rates: HeldRate, used: bigint, units: bigint, scale: bigint): HeldDraw {
  const price = heldPoolPrice(rates, scale);
  if (price !== null) return { taken: units * price, required: units * price };
  return drawBetween(heldAmount(rates, used), heldAmount(rates, used + units), scale);
}
