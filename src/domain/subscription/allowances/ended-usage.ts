import { storedPool } from '../../pricing/pools.ts';
import { listDocument } from '../../rates/card.ts';
import type { EndedUsageRow } from '../../rows/ended-usage.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { pricedTotals, storedCells } from '../../usage/cells.ts';
import { ratesPerUnit, shownUnits } from '../../usage/metered-terms.ts';
import type { UsageTerms } from '../../usage/terms.ts';
import type { Draft } from '../state/draft.ts';
import type { WindowUsage } from './addon-bases.ts';

/** Returns true if units above the included amount cost something, or if all units are deducted from a pool. */
const isCharged = ({ pool, unlimited, allowsOverage }: UsageTerms): boolean =>
  !unlimited && (pool !== null || allowsOverage);

/**
 * Stores the usage of an ended usage window with the terms that priced it, so that corrections can price it again (PRM-128).
 * `deficitRate` is the billed negative balance, as a positive amount at rate scale.
 */
export function recordEnded(
  draft: Draft,
  { id: subscriptionId }: Pick<SubscriptionRow, 'id'>,
  usage: readonly WindowUsage[],
  deficitRate: bigint,
): void {
  const rows = usage.map(
    ({ feature, terms, use, windowStart, window }: WindowUsage): EndedUsageRow => ({
      id: draft.newId('euw'),
      seq: null,
      subscriptionId,
      featureId: feature.id,
      windowStart,
      windowEnd: window.end,
      ...storedPool(terms.pool),
      total: use.total,
      covered: use.covered,
      includedAmount: shownUnits(terms, terms.includedAmount),
      meter: terms.meter?.document ?? null,
      rates: isCharged(terms) ? (ratesPerUnit(terms)?.map(listDocument) ?? null) : null,
      cells: storedCells(use.cells === undefined ? undefined : pricedTotals(terms.rates, use.cells)),
      cost: terms.cost,
      exchangeRateE8: terms.exchangeRateE8,
      deficitRate,
    }),
  );
  draft.endedUsage.push(...rows);
}
