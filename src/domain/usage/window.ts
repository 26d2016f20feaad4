// Calculates the amounts to bill at the end of a usage window: overage and negative balances (CON-16,
// CON-27).
import { isBillable, maxOf, minOf, minorPerUnit, rateToMinor } from '../money/money.ts';
import { type Exact, roundedTo, zero } from '../rates/exact.ts';
import {
  drawBetween,
  drawOf,
  type HeldDraw,
  type HeldRate,
  hasCells,
  heldAmount,
  heldUseAmount,
} from '../rates/held.ts';
import type { Use } from '../rates/use-price.ts';
import type { ConsumptionEntryRow, UsageCounterRow } from '../rows/usage-rows.ts';
import { type CellTotal, type TotalByCell, usageOf } from './cells.ts';
import { ratesPerUnit, unitScale } from './metered-terms.ts';
import type { UsageTerms } from './terms.ts';

/** Total usage in a window, also by dimension values, and the units covered by a plan grant (SUB-54). */
export type WindowUse = Pick<UsageCounterRow, 'total' | 'covered'> & TotalByCell;

/**
 * Returns the units that aren't charged: the included units, or the covered units if a plan grant covered
 * more (CON-16, SUB-54).
 */
export const freeUnits = (
  { includedAmount }: Pick<UsageTerms, 'includedAmount'>,
  { covered }: WindowUse,
): bigint => maxOf(includedAmount, covered);

/** Returns the units above the free units. 0 if the feature is unlimited (PRM-2). */
export const excessUnits = (terms: UsageTerms, use: WindowUse): bigint =>
  terms.unlimited ? 0n : maxOf(0n, use.total - freeUnits(terms, use));

/** Returns the units to charge. 0 if overage isn't allowed, regardless of the total (CON-16, CON-17). */
export const overageUnits = (terms: UsageTerms, use: WindowUse): bigint =>
  terms.allowsOverage ? excessUnits(terms, use) : 0n;

/** Returns the usage whose overage is charged, in units. Only call it if there is overage. */
export const overageUse = (terms: UsageTerms, use: WindowUse): Use =>
  usageOf(use, freeUnits(terms, use), unitScale(terms));

type Priced = Pick<WindowUse, 'total' | 'covered'> & { readonly terms: UsageTerms; readonly price: Exact };

const lastPriced = new WeakMap<readonly CellTotal[], Priced>();

/**
 * Returns the exact price by cells. Keeps the latest price of each list of totals, because an event is priced several times: for its
 * acceptance, and before and after it's counted.
 */
function priceByCells(terms: UsageTerms, rates: HeldRate, use: WindowUse): Exact {
  const { total, covered, cells } = use;
  const known = cells === undefined ? undefined : lastPriced.get(cells);
  if (known?.terms === terms && known.total === total && known.covered === covered) return known.price;
  const price = heldUseAmount(ratesPerUnit(terms) ?? rates, overageUse(terms, use));
  if (cells !== undefined) lastPriced.set(cells, { terms, total, covered, price });
  return price;
}

/** Returns the exact overage charge in major units of the currency. 0 if the terms have no price. */
export function overageAmount(terms: UsageTerms, use: WindowUse): Exact {
  const { rates } = terms;
  const units = overageUnits(terms, use);
  if (rates === null || units === 0n) return zero;
  return hasCells(rates) ? priceByCells(terms, rates, use) : heldAmount(rates, units);
}

/** Returns the overage charge in minor units. 0 if the terms have no price. */
export const overageMinor = (terms: UsageTerms, use: WindowUse): bigint =>
  roundedTo(overageAmount(terms, use), minorPerUnit(terms.currency));

/** Returns the exact price of the usage of a window above the free units, in units of the asset. */
export function priceOfUsage(terms: UsageTerms, rates: HeldRate, use: WindowUse): Exact {
  const units = excessUnits(terms, use);
  if (!hasCells(rates)) return heldAmount(rates, units);
  return units === 0n ? zero : priceByCells(terms, rates, use);
}

/**
 * Returns the deduction from a pool if the usage of a window rises from `before` to `after` (PRM-101). `scale` is the number
 * of pool units in one unit of the asset.
 */
export function drawOfUsage(
  terms: UsageTerms,
  rates: HeldRate,
  [before, after]: readonly [WindowUse, WindowUse],
  scale: bigint,
): HeldDraw {
  if (!hasCells(rates)) {
    const used = excessUnits(terms, before);
    return drawOf(rates, used, excessUnits(terms, after) - used, scale);
  }
  return drawBetween(priceOfUsage(terms, rates, before), priceOfUsage(terms, rates, after), scale);
}

/**
 * Returns true if the charge for a total of usage, seats, or quota doesn't exceed the maximum for one invoice
 * line (GLO-14a).
 */
export const isTotalBillable = (
  terms: UsageTerms,
  total: bigint,
  covered = 0n,
  cells?: TotalByCell['cells'],
): boolean => isBillable(overageMinor(terms, { total, covered, cells }));

/** Fields of a usage entry for attributing a deficit. `amount` is negative. */
export type Drawn = Pick<ConsumptionEntryRow, 'featureId' | 'amount'>;

/**
 * Part of a deficit that one feature caused, in pool units and in minor units. `featureId` is `null` if no
 * feature was used.
 */
export type DeficitShare = {
  readonly featureId: string | null;
  readonly amount: bigint;
  readonly amountMinor: bigint;
};

/**
 * Attributes a deficit (positive, in pool units) to the features that were used last (CON-27). `latestFirst`
 * contains the window's usage entries, newest first, until they cover the deficit. If they don't cover it, a
 * manual adjustment caused the difference. The difference is attributed to the feature of the oldest entry,
 * or to no feature if there is no entry. Shares are sorted by first use after the balance became negative.
 * The shares in minor units add up to the rounded deficit; the last share includes the rounding difference.
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
    // Delete the key first, so that the keys stay in the order of their oldest entry.
    shares.delete(featureId);
    shares.set(featureId, known + part);
    left -= part;
  }
  const ordered: [string | null, bigint][] = [...shares].reverse();
  const [first] = ordered;
  if (first === undefined) ordered.push([null, deficit]);
  else first[1] += left;
  let rest = rateToMinor(deficit, currency);
  return ordered.map(([featureId, amount], index) => {
    const amountMinor = index === ordered.length - 1 ? rest : minOf(rest, rateToMinor(amount, currency));
    rest -= amountMinor;
    return { featureId, amount, amountMinor };
  });
}
