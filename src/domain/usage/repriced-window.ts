// Price of an ended usage window under other terms, for the impact of catalog changes (PRM-6).
import { localRates, type PricedTerms } from '../pricing/local-rates.ts';
import { poolOfStored } from '../pricing/pools.ts';
import { listDocument } from '../rates/card.ts';
import { hasCells, storedRate } from '../rates/held.ts';
import { canPrice } from '../rates/use-price.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import { namesOnly } from './cells.ts';
import { endedTerms } from './ended-terms.ts';
import { freeUnits, overageMinor, overageUse, type WindowUse } from './window.ts';

/** Terms of a feature after a catalog change. */
export type ChangedTerms = PricedTerms & {
  /** Included units. `null` if they don't change. */
  readonly includedAmount: bigint | null;
  /** Whether additional units were charged before the change, and are charged after it. */
  readonly wasCharged: boolean;
  readonly isCharged: boolean;
};

/** Currency and market of a subscription. */
type Place = { readonly currency: string; readonly marketId: string | null };

/** Price of the usage in an ended window in minor units: as it was billed, with all corrections, and under the changed terms. */
export type Repriced = { readonly before: bigint; readonly after: bigint };

/** Returns the usage of an ended window. */
const usageIn = ({ total, covered, cells }: EndedUsageRow): WindowUse => ({
  total,
  covered,
  cells: cells?.map((cell) => ({ values: cell.values, total: BigInt(cell.total) })),
});

/** Returns true if price lists have a rate for all usage of a window above the free units. */
function canPriceWindow(row: EndedUsageRow, currency: string): boolean {
  const [terms, use] = [endedTerms(row, currency), usageIn(row)];
  const { rates } = terms;
  if (rates === null || !hasCells(rates) || use.total <= freeUnits(terms, use)) return true;
  return use.cells !== undefined && rates.every((list) => canPrice(list, overageUse(terms, use).quantities));
}

/**
 * Prices an ended window again. `changed` is the window after a change, or `null` if it isn't known. Returns `null` if the changed price
 * isn't known. The price of usage that draws on a pool is 0.
 */
export function repricedWindow(
  row: EndedUsageRow,
  changed: EndedUsageRow | null,
  { currency }: Pick<Place, 'currency'>,
): Repriced | null {
  const priceOf = (window: EndedUsageRow): bigint =>
    overageMinor(endedTerms(window, currency), usageIn(window));
  if (poolOfStored(row) !== null) return { before: 0n, after: 0n };
  if (changed === null || !canPriceWindow(changed, currency)) return null;
  return { before: priceOf(row), after: priceOf(changed) };
}

/**
 * Returns an ended window with changed terms. Amounts in other currencies are converted with the exchange rate of the window. Returns `null`
 * if the rates have no amount in the currency, or name dimension values that the window doesn't distinguish.
 */
export function windowWithTerms(row: EndedUsageRow, place: Place, terms: ChangedTerms): EndedUsageRow | null {
  // Without rates, the window wasn't charged although the feature was, for example because of a plan grant.
  const isCharged = terms.isCharged && (row.rates !== null || !terms.wasCharged);
  if (!isCharged) return { ...row, rates: null };
  const { windowStart, windowEnd, exchangeRateE8 } = row;
  const exchangeRates =
    exchangeRateE8 === null ? [] : [{ rateE8: exchangeRateE8, validFrom: windowStart, validTo: null }];
  const rates = localRates(terms, { ...place, exchangeRates }, windowStart, windowEnd);
  if (rates === null) return null;
  const includedAmount = terms.includedAmount ?? row.includedAmount;
  const known = row.rates === null ? null : row.rates.flatMap(storedRate);
  const isUsed = row.total > 0n;
  if (isUsed && hasCells(rates) && !namesOnly(rates, known)) return null;
  return { ...row, includedAmount, rates: rates.map(listDocument) };
}
