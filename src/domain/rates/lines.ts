// Invoice lines for the parts of a price. Amounts are rounded cumulatively, so that lines add up to the rounded price
// (PRM-105).
import { cardOf, cellName, isCard, type PriceList } from './card.ts';
import { compare, type Exact, minus, plus, roundedTo, times, whole, zero } from './exact.ts';
import type { Part } from './parts.ts';
import { partsOf, priceOf, withBounds, withMaximum } from './price.ts';
import type { Rate } from './rate.ts';
import {
  type CellUse,
  chargedCells,
  plainUse,
  type Use,
  withCardBounds,
  withCardMaximum,
} from './use-price.ts';

/**
 * Invoice line for a part of a price. The kinds `minimum` and `maximum` are for a part that the minimum raises or the
 * maximum limits. The quantity is the number of units if the kind is `units`, otherwise 1.
 */
export type RateLine = {
  /** `rest` sums up the cells without their own lines. */
  readonly kind: Part['kind'] | 'minimum' | 'maximum' | 'rest';
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
  /** Rate of the cell. `null` if the line sums up several cells. */
  readonly rate: Rate | null;
  /**
   * Name of the cell. `null` if the rate is the default of a card or has no dimensions, or if the line sums up several
   * cells.
   */
  readonly cell: string | null;
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

/** Part of the price of a cell, with the exact cumulative price after the part. */
type CountedPart = {
  readonly part: Omit<Part, 'kind'> & { readonly kind: Part['kind'] | 'rest' };
  /** Cell and rate of the part. `null` if the part sums up several cells. */
  readonly use: CellUse | null;
  readonly after: Exact;
};

/**
 * Returns the parts of a cell's price. The maximum of the rate limits every sum, and the minimum raises only the last sum.
 * `before` is the price of the preceding cells.
 */
function partsOfCell(use: CellUse, before: Exact): readonly CountedPart[] {
  let sum = zero;
  const parts = partsOf(use.rate, use.units);
  return parts.map((part, index) => {
    sum = plus(sum, part.amount);
    const after = index === parts.length - 1 ? withBounds(use.rate, sum) : withMaximum(use.rate, sum);
    return { part, use, after: plus(before, after) };
  });
}

/** Maximum number of cells with their own lines (PRM-105). */
const mostCells = 50;

/** Returns the cells with their own lines, in the order of the card, and the other cells. */
function largestCells(
  cells: readonly CellUse[],
): readonly [own: readonly CellUse[], rest: readonly CellUse[]] {
  if (cells.length <= mostCells) return [cells, []];
  const price = new Map(cells.map((use) => [use, priceOf(use.rate, use.units)]));
  const own = new Set(
    cells.toSorted((a, b) => compare(price.get(b) ?? zero, price.get(a) ?? zero)).slice(0, mostCells),
  );
  return [cells.filter((use) => own.has(use)), cells.filter((use) => !own.has(use))];
}

/** Returns one part for several cells. */
function restPart(cells: readonly CellUse[], before: Exact): CountedPart {
  const amount = cells.reduce((sum, { rate, units }) => plus(sum, priceOf(rate, units)), zero);
  const units = cells.reduce((sum, use) => plus(sum, use.units), zero);
  return {
    part: { kind: 'rest', tier: 0, units, unitAmount: zero, amount },
    use: null,
    after: plus(before, amount),
  };
}

/** Returns all parts of the price of usage, with the bounds of the card applied to the sums. */
function countedParts(list: PriceList, use: Use): readonly CountedPart[] {
  const card = cardOf(list);
  const [own, rest] = largestCells(chargedCells(list, use));
  const parts: CountedPart[] = [];
  const sumSoFar = (): Exact => parts.at(-1)?.after ?? zero;
  for (const cell of own) parts.push(...partsOfCell(cell, sumSoFar()));
  if (rest.length > 0) parts.push(restPart(rest, sumSoFar()));
  return parts.map((counted, index) => ({
    ...counted,
    after:
      index === parts.length - 1 ? withCardBounds(card, counted.after) : withCardMaximum(card, counted.after),
  }));
}

/**
 * Returns the lines of the price of usage, in the order of the cells and their tiers. `scale` is the number of minor units in
 * one unit of the asset. Omits lines of 0. The lines add up to the rounded price.
 */
export function linesOfUse(list: PriceList, use: Use, scale: bigint): readonly RateLine[] {
  const parts = countedParts(list, use);
  const amounts = cumulativelyRounded(
    parts.map(({ after }, index) => minus(after, parts[index - 1]?.after ?? zero)),
    scale,
  );
  return parts.flatMap(({ part, use: cell, after }, index): RateLine[] => {
    const [before = zero, amount = 0n] = [parts[index - 1]?.after, amounts[index]];
    if (amount === 0n) return [];
    const change = compare(after, plus(before, part.amount));
    const kind = change === 0 ? part.kind : change > 0 ? 'minimum' : 'maximum';
    const shared = {
      kind,
      tier: part.tier,
      amount,
      units: part.units,
      before,
      after,
      rate: cell?.rate ?? null,
      cell: cell === null || !isCard(list) ? null : cellName(list, cell.index),
    } as const;
    return [
      kind === 'units'
        ? { ...shared, quantity: part.units, unitAmount: times(part.unitAmount, whole(scale)) }
        : { ...shared, quantity: whole(1n), unitAmount: whole(amount) },
    ];
  });
}

/** Returns the lines of the price of a quantity without dimensions. The lines add up to `roundedPrice`. */
export const linesOf = (rate: Rate, quantity: Exact, scale: bigint): readonly RateLine[] =>
  linesOfUse(rate, plainUse(quantity), scale);
