import { type Pool, storedPool } from '../../pricing/pools.ts';
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

/** Billed overdraft of a pool. `amount` is positive, and `price` is the price of one pool unit of a custom unit. */
export type Overdraft = { readonly pool: Pool; readonly amount: bigint; readonly price: string | null };

/**
 * Stores the usage of an ended usage window with the terms that priced it, so that corrections can price it again (PRM-128).
 * `overdrafts` contains the billed overdrafts, also several parts of one overdraft.
 */
export function recordEnded(
  draft: Draft,
  { id: subscriptionId }: Pick<SubscriptionRow, 'id'>,
  usage: readonly WindowUsage[],
  overdrafts: readonly Overdraft[],
): void {
  const billedOf = (of: Pool | undefined) => {
    const own = overdrafts.filter(({ pool }) => pool === of);
    return {
      deficitRate: own.reduce((sum, { amount }) => sum + amount, 0n),
      deficitPrice: own[0]?.price ?? null,
    };
  };
  const rows = usage.map(
    ({ feature, terms, use, windowStart, window, waived }: WindowUsage): EndedUsageRow => ({
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
      ...billedOf(terms.pool?.pool),
      waived,
    }),
  );
  draft.endedUsage.push(...rows);
}
