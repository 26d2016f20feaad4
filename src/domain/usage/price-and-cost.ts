// Exact price and cost of usage events, which the margin report sums (PRM-119).
import type { EntryDraft } from '../lots/posting.ts';
import { minorPerUnit } from '../money/money.ts';
import { isCustom } from '../pricing/pools.ts';
import { exactDecimal, signedDecimal } from '../rates/decimal.ts';
import { type Exact, exactText, isZero, minus, ratio, roundedTo, zero } from '../rates/exact.ts';
import { heldAmount, storedRate } from '../rates/held.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import type { Meter } from './admission.ts';
import type { TotalByCell } from './cells.ts';
import { hasFinalTotal, heldInParts } from './metered-terms.ts';
import type { UsageTerms } from './terms.ts';
import type { StoredTokenCost } from './tokens.ts';
import { overageAmount, priceOfUsage } from './window.ts';

/** Number of units of the fine scale in one currency unit (PRM-102). */
const fineScale = 10n ** 18n;

/**
 * Price in major units of the subscription's currency, and cost in US dollars. A price or cost that doesn't exist is `null`.
 */
export type PriceAndCost = { readonly price: Exact | null; readonly cost: Exact | null };

const noPriceAndCost: PriceAndCost = { price: null, cost: null };

/** Total and price of a window so far, also by dimension values. */
export type WindowSoFar = Pick<UsageCounterRow, 'total' | 'price' | 'covered'> & Pick<TotalByCell, 'cells'>;

/** Returns the total and price of the window of a meter. */
export const windowOf = ({ counter, cells }: Pick<Meter, 'counter' | 'cells'>): WindowSoFar =>
  cells === undefined ? counter : { ...counter, cells };

/**
 * Returns the exact price of a window so far, in units of the asset. `null` if the feature has no price in the
 * currency. If the units are invoiced, the price is provisional until the window ends.
 */
export function priceSoFar(terms: UsageTerms, counter: WindowSoFar): Exact | null {
  if (terms.derived !== null) return exactDecimal(counter.price);
  if (terms.rates === null) return null;
  return terms.pool === null ? overageAmount(terms, counter) : priceOfUsage(terms, terms.rates, counter);
}

/**
 * Returns the exact cost of a number of counted units in US dollars. `null` if the feature has no cost per unit. The cost
 * of tokens depends on the events.
 */
export function costOfUnits({ cost, meter }: UsageTerms, units: bigint): Exact | null {
  if (cost === null || 'from' in cost) return null;
  const rates = meter === null ? storedRate(cost) : heldInParts(storedRate(cost), meter.document);
  return heldAmount(rates, units);
}

/** Returns true if usage draws on a custom unit, whose amounts aren't money. */
export const isInUnits = ({ pool }: UsageTerms): boolean => pool !== null && isCustom(pool.pool);

/** Returns the difference of two amounts. `null` if it's 0, or if an amount is `null`. */
function rise(before: Exact | null, after: Exact | null): Exact | null {
  if (before === null || after === null) return null;
  const difference = minus(after, before);
  return isZero(difference) ? null : difference;
}

/** Returns the part of the paid price of lots that a movement drew, in major units. `null` if it's 0 (PRM-145). */
export function drawnPrice(entries: readonly EntryDraft[], currency: string): Exact | null {
  const minor = entries.reduce((sum, { valueMinor }) => sum + (valueMinor ?? 0n), 0n);
  return minor === 0n ? null : ratio(minor, minorPerUnit(currency));
}

/**
 * Returns the change of the price and the cost between two states of a window, in money. If the total is known only at
 * the end of the window, the price and the cost are too.
 */
export function changeBetween(terms: UsageTerms, before: WindowSoFar, after: WindowSoFar): PriceAndCost {
  if (hasFinalTotal(terms)) return noPriceAndCost;
  return {
    price: isInUnits(terms) ? null : rise(priceSoFar(terms, before), priceSoFar(terms, after)),
    cost:
      terms.cost === null || before.total === after.total
        ? null
        : rise(costOfUnits(terms, before.total), costOfUnits(terms, after.total)),
  };
}

/**
 * Returns the exact price and cost of an event. For a custom unit, the price is the part of the paid price of the drawn
 * lots.
 */
export function priceAndCostOf(
  terms: UsageTerms,
  before: WindowSoFar,
  after: WindowSoFar,
  { ai, price }: { readonly ai: Pick<StoredTokenCost, 'cost'> | null; readonly price: Exact | null },
  entries: readonly EntryDraft[],
): PriceAndCost {
  const change = terms.derived === null || ai === null ? changeBetween(terms, before, after) : noPriceAndCost;
  return {
    price: price ?? (isInUnits(terms) ? drawnPrice(entries, terms.currency) : change.price),
    cost: ai === null ? change.cost : exactDecimal(ai.cost),
  };
}

/** Returns a price that was recorded for a window after a change. Both are in units of the fine scale. */
export const recordedAfter = (recorded: string, price: Exact | null): string =>
  price === null ? recorded : String(BigInt(recorded) + roundedTo(price, fineScale));

/** Returns the difference between the final price of a window and the recorded price. `null` if the prices are equal. */
export function differenceTo(final: Exact, recorded: string): Exact | null {
  const difference = roundedTo(final, fineScale) - BigInt(recorded);
  return difference === 0n ? null : ratio(difference, fineScale);
}

/** Returns the opposite of a stored decimal, which can be negative. `null` if there's no decimal. */
export const withdrawn = (text: string | null): Exact | null =>
  text === null ? null : minus(zero, signedDecimal(text));

/** Returns the stored columns of a price and a cost. `null` stands for 0. */
export const storedPriceAndCost = (
  { price, cost }: PriceAndCost,
  { exchangeRateE8 }: Pick<UsageTerms, 'exchangeRateE8'>,
) => ({
  price: price === null ? null : exactText(price),
  cost: cost === null ? null : exactText(cost),
  exchangeRateE8: price === null && cost === null ? null : exchangeRateE8,
});
