// Prices of the usage of a window by a card: the sum of the prices of its cells (PRM-108).
import { type Card, cardOf, cellIndex, type DimensionValues, type PriceList, rateAt } from './card.ts';
import { exactOf } from './decimal.ts';
import { compare, type Exact, isZero, larger, minus, plus, smaller, whole, zero } from './exact.ts';
import { priceOf } from './price.ts';
import type { Rate } from './rate.ts';

/** Part of the usage of a window, with its values by dimension. */
export type CellQuantity = { readonly values: DimensionValues; readonly units: Exact };

/** Usage of a window in units. `free` is the number of units that aren't charged. */
export type Use = { readonly quantities: readonly CellQuantity[]; readonly free: Exact };

/** Usage of a cell. `index` is the position of the cell in the card; the default is last. */
export type CellUse = { readonly index: number; readonly rate: Rate; readonly units: Exact };

/** Returns the use of units without dimensions. */
export const plainUse = (units: Exact): Use => ({ quantities: [{ values: {}, units }], free: zero });

/** Returns true if a price list has a rate for all quantities (PRM-107). */
export function canPrice(list: PriceList, quantities: readonly CellQuantity[]): boolean {
  const card = cardOf(list);
  return quantities.every(({ values, units }) => isZero(units) || cellIndex(card, values) !== null);
}

/** Returns the usage by cell, in the order of the card. Usage without a rate is omitted. */
function usesByCell(card: Card, quantities: readonly CellQuantity[]): readonly CellUse[] {
  const uses = new Map<number, CellUse>();
  for (const { values, units } of quantities) {
    const index = cellIndex(card, values);
    const rate = index === null ? null : rateAt(card, index);
    if (index === null || rate === null || isZero(units)) continue;
    const known = uses.get(index);
    uses.set(index, { index, rate, units: known === undefined ? units : plus(known.units, units) });
  }
  return [...uses.values()].sort((a, b) => a.index - b.index);
}

const one = whole(1n);

/**
 * Returns the charged usage by cell, in the order of the card. Free units are taken from the cells with the highest price of
 * the first unit first, and in the order of the card if prices are equal (PRM-109).
 */
export function chargedCells(list: PriceList, { quantities, free }: Use): readonly CellUse[] {
  const uses = usesByCell(cardOf(list), quantities);
  if (isZero(free)) return uses;
  const charged = new Map(uses.map((use) => [use.index, use]));
  let left = free;
  for (const use of uses.toSorted((a, b) => compare(priceOf(b.rate, one), priceOf(a.rate, one)))) {
    const taken = smaller(left, use.units);
    left = minus(left, taken);
    const units = minus(use.units, taken);
    if (isZero(units)) charged.delete(use.index);
    else charged.set(use.index, { ...use, units });
  }
  return uses.flatMap(({ index }) => charged.get(index) ?? []);
}

/** Applies the maximum of a card to the sum of its cells' prices. */
export const withCardMaximum = ({ maximum }: Card, sum: Exact): Exact =>
  maximum === null ? sum : smaller(exactOf(maximum), sum);

/** Applies the minimum and the maximum of a card to the sum of its cells' prices. */
export const withCardBounds = (card: Card, sum: Exact): Exact =>
  withCardMaximum(card, card.minimum === null ? sum : larger(exactOf(card.minimum), sum));

/** Returns the exact price of usage in units of the asset. 0 if no unit is charged. */
function usePrice(list: PriceList, use: Use): Exact {
  const cells = chargedCells(list, use);
  if (cells.length === 0) return zero;
  return withCardBounds(
    cardOf(list),
    cells.reduce((sum, { rate, units }) => plus(sum, priceOf(rate, units)), zero),
  );
}

/**
 * Returns the lowest price of usage among the versions of a price list (PRM-5), and the version. Versions without a rate for
 * a part of the usage don't apply. If no version has all rates, the parts without a rate cost nothing.
 */
export function heldUsePrice(
  versions: readonly PriceList[],
  use: Use,
): { readonly price: Exact; readonly list: PriceList } {
  const complete =
    versions.length === 1 ? versions : versions.filter((list) => canPrice(list, use.quantities));
  return (complete.length === 0 ? versions : complete)
    .map((list) => ({ price: usePrice(list, use), list }))
    .reduce((best, next) => (compare(next.price, best.price) < 0 ? next : best));
}
