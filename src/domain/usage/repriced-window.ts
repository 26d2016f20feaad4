// Price of an ended usage window under other terms, for the impact of catalog changes (PRM-6).
import { localRates, type PricedTerms } from '../pricing/local-rates.ts';
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

/**
 * Prices an ended window again under changed terms. Returns `null` if the price isn't known: the changed price depends on
 * dimension values that the window doesn't distinguish, or has no amount in the currency. Amounts in other currencies are
 * converted with the exchange rate of the window. The price of usage that draws on a pool is 0.
 */
export function repricedWindow(row: EndedUsageRow, place: Place, terms: ChangedTerms): Repriced | null {
  const before = endedTerms(row, place.currency);
  if (before.pool !== null) return { before: 0n, after: 0n };
  const use: WindowUse = {
    total: row.total,
    covered: row.covered,
    cells: row.cells?.map(({ values, total }) => ({ values, total: BigInt(total) })),
  };
  const billed = overageMinor(before, use);
  // Without rates, the window wasn't charged although the feature was, for example because of a plan grant.
  const isCharged = terms.isCharged && (row.rates !== null || !terms.wasCharged);
  if (!isCharged) return { before: billed, after: 0n };
  const { windowStart, windowEnd, exchangeRateE8, includedAmount } = row;
  const exchangeRates =
    exchangeRateE8 === null ? [] : [{ rateE8: exchangeRateE8, validFrom: windowStart, validTo: null }];
  const rates = localRates(terms, { ...place, exchangeRates }, windowStart, windowEnd);
  if (rates === null) return null;
  const changed = endedTerms(
    { ...row, includedAmount: terms.includedAmount ?? includedAmount, rates: rates.map(listDocument) },
    place.currency,
  );
  if (use.total <= freeUnits(changed, use)) return { before: billed, after: 0n };
  if (hasCells(rates)) {
    const isKnown =
      use.cells !== undefined && namesOnly(rates, row.rates === null ? null : row.rates.flatMap(storedRate));
    if (!isKnown || !rates.every((list) => canPrice(list, overageUse(changed, use).quantities))) return null;
  }
  return { before: billed, after: overageMinor(changed, use) };
}
