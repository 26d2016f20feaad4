// Versions of a rate during a subscriber's period. If a rate changes during a period, the cheapest version applies
// (PRM-5).
import { maxOf, minorPerUnit, rateScale } from '../money/money.ts';
import {
  type Card,
  cardOf,
  cellIndex,
  isCard,
  isCardDocument,
  isSameList,
  leadRate,
  type PriceList,
  type PriceListDocument,
  rateAt,
  ratesOf,
} from './card.ts';
import { compareDecimals, exactOf, noAmount, powerOfTen, storedDecimal } from './decimal.ts';
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
import type { Rate, RateDocument } from './rate.ts';
import { heldUsePrice, plainUse, type Use } from './use-price.ts';

/** Versions of a price list, oldest first. The version with the lowest price for the usage applies. Never empty. */
export type HeldRate = readonly PriceList[];

/** Catalog rows are immutable and used for many decisions, so each stored price list is parsed once. */
const parsed = new WeakMap<PriceListDocument, HeldRate>();

const boundOf = (bound: string | undefined) => (bound === undefined ? null : storedDecimal(bound));

const rateOf = ({ model, per, tiers, minimum, maximum }: RateDocument): Rate => ({
  model,
  per: BigInt(per),
  tiers: tiers.map(({ upTo, amount, flat }) => ({
    upTo: upTo === null ? null : storedDecimal(upTo),
    amount: storedDecimal(amount),
    flat: storedDecimal(flat),
  })),
  minimum: boundOf(minimum),
  maximum: boundOf(maximum),
});

function listOf(document: PriceListDocument): PriceList {
  if (!isCardDocument(document)) return rateOf(document);
  const { cells, default: other, minimum, maximum } = document;
  return {
    cells: cells.map(({ when, rate }) => ({ when, rate: rateOf(rate) })),
    default: other === undefined ? null : rateOf(other),
    minimum: boundOf(minimum),
    maximum: boundOf(maximum),
  };
}

/** Converts a stored rate or card to a list with a single version. Doesn't validate the rates. */
export const storedRate = (document: PriceListDocument): HeldRate =>
  parsed.getOrInsertComputed(document, () => [listOf(document)]);

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
export function plainUnitPrice(list: PriceList): bigint | null {
  if (isCard(list)) return null;
  const { model, per, tiers, minimum, maximum } = list;
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
  return [...earlier, ...later.filter((rate) => !earlier.some((one) => isSameList(one, rate)))];
}

/**
 * Returns the exact price of a number of units, in units of the asset. For a card, all units have the rate from
 * `leadRate`.
 */
export function heldAmount(rates: HeldRate, units: bigint): Exact {
  const price = heldUnitPrice(rates);
  return price === null
    ? heldPrice(rates.map(leadRate), whole(units)).price
    : ratio(units * price, rateScale);
}

/** Returns true if a version has different rates by dimension. */
export const hasCells = (rates: HeldRate): boolean => rates.some(isCard);

/** Returns the price of a number of units in minor units of the currency, rounded half up. */
export const heldMinor = (rates: HeldRate, units: bigint, currency: string): bigint =>
  roundedTo(heldAmount(rates, units), minorPerUnit(currency));

/** Returns the version that applies to a quantity. */
export const heldVersion = (rates: HeldRate, quantity: Exact): Rate =>
  leadRate(heldUsePrice(rates.map(leadRate), plainUse(quantity)).list);

/** Returns the price of the first unit, rounded half up to ten-thousandths (10,000 = 1.00). */
export const firstUnitPrice = (rates: HeldRate): bigint =>
  heldUnitPrice(rates) ?? roundedTo(heldAmount(rates, 1n), rateScale);

/**
 * Returns the credits for the first unit as a whole number, at least 1. 0 if the rate charges nothing. `rates` must be in
 * credits.
 */
export const wholeUnitPrice = (rates: HeldRate): bigint =>
  canCharge(rates) ? maxOf(1n, roundedTo(heldAmount(rates, 1n), 1n)) : 0n;

/** Returns true if unit number `unit` raises the price. */
export const isUnitCharged = (rates: HeldRate, unit: bigint): boolean =>
  unit > 0n && compare(heldAmount(rates, unit), heldAmount(rates, unit - 1n)) > 0;

const isFree = ({ tiers, minimum }: Rate): boolean =>
  tiers.every(({ amount, flat }) => amount.units === 0n && flat.units === 0n) &&
  (minimum === null || minimum.units === 0n);

/** Returns true if no usage is charged. */
const isFreeList = (list: PriceList): boolean =>
  ratesOf(list).every(isFree) && (!isCard(list) || list.minimum === null || list.minimum.units === 0n);

/** Returns true if a quantity can have a price above 0. */
export const canCharge = (rates: HeldRate): boolean => !rates.some(isFreeList);

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

/** Returns the pairs of rates that apply to the same usage in two price lists. `null` if the usage has no price. */
function comparedRates(
  before: PriceList,
  after: PriceList,
): readonly (readonly [Rate | null, Rate | null])[] {
  const lists = [cardOf(before), cardOf(after)] as const;
  const conditions = lists.flatMap(({ cells }) => cells.map(({ when }) => when));
  const samples = conditions.map((when) =>
    Object.fromEntries(Object.entries(when).map(([dimension, [value = '']]) => [dimension, value])),
  );
  const rateFor = (card: Card, values: (typeof samples)[number]): Rate | null => {
    const index = cellIndex(card, values);
    return index === null ? null : rateAt(card, index);
  };
  return [...samples, {}].map((values) => [rateFor(lists[0], values), rateFor(lists[1], values)]);
}

/** Returns the differences between the prices of two rates at all quantities at which their order can change. */
const differencesOf = (before: Rate, after: Rate): readonly Exact[] =>
  comparedQuantities([before, after]).map((quantity) =>
    minus(priceOf(after, quantity), priceOf(before, quantity)),
  );

/** Returns true if a lower bound doesn't rise, or an upper bound doesn't rise. `open` is the value of a missing bound. */
const isNotRaised = (before: Card['minimum'], after: Card['minimum'], isUpper: boolean): boolean => {
  if (after === null) return before === null || !isUpper;
  return before === null ? isUpper : compareDecimals(after, before) <= 0;
};

/** Returns true if the second price list is cheaper for some usage and never more expensive. */
export function isCheaper(before: PriceList, after: PriceList): boolean {
  const [first, second] = [cardOf(before), cardOf(after)];
  if (!isNotRaised(first.minimum, second.minimum, false)) return false;
  if (!isNotRaised(first.maximum, second.maximum, true)) return false;
  const differences: Exact[] = [];
  for (const [rate, next] of comparedRates(before, after)) {
    if (rate === null && next === null) continue;
    if (rate === null || next === null) return false;
    differences.push(...differencesOf(rate, next));
  }
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

/** Returns the exact price of usage by the cheapest version. The rates must be per unit. */
export const heldUseAmount = (rates: HeldRate, use: Use): Exact => heldUsePrice(rates, use).price;

/**
 * Returns the deduction from a pool for `units`, if the window already has `used` units. `scale` is the number of pool
 * units in one unit of the asset.
 */
export function drawOf(rates: HeldRate, used: bigint, units: bigint, scale: bigint): HeldDraw {
  const price = heldPoolPrice(rates, scale);
  if (price !== null) return { taken: units * price, required: units * price };
  return drawBetween(heldAmount(rates, used), heldAmount(rates, used + units), scale);
}
