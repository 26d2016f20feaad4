// Corrections of events that an unpaid plan change billed (PRM-127, PRM-128). The invoice doesn't change. The difference is
// added to the next invoice when the plan changes.
import { maxOf } from '../../money/money.ts';
import type { Pool } from '../../pricing/pools.ts';
import { type BilledWindow, billedPools, withCorrection } from '../../rows/change-rows.ts';
import type { PendingCorrection, SubscriptionRow } from '../../rows/rows.ts';
import { counterId } from '../../usage/counter.ts';
import { overdraftMinor } from '../../usage/overdraft.ts';
import { overageMinor } from '../../usage/window.ts';
import type { WindowUsage } from '../allowances/addon-bases.ts';
import type { RecordedWindow } from '../allowances/arrears.ts';
import type { Overdraft } from '../allowances/ended-usage.ts';
import type { BilledUsage } from '../allowances/final-prices.ts';
import { cellsOf } from '../allowances/window-total.ts';
import type { Draft } from '../state/draft.ts';

/** Price before and after a correction, in minor units. */
type Prices = { readonly billed: bigint; readonly price: bigint };

const pendingOf = (
  correctionId: string,
  { feature, windowStart, window }: WindowUsage,
  { billed, price }: Prices,
): PendingCorrection => ({
  correctionId,
  featureName: feature.name,
  billed: String(billed),
  price: String(price),
  amount: String(price - billed),
  windowStart: windowStart.toISOString(),
  windowEnd: window.end.toISOString(),
});

/** Returns the billed usage of a feature with the totals of a window, in minor units. */
function priceOfTotals(
  draft: Draft,
  subscriptionId: string,
  { feature, terms, use }: WindowUsage,
  { totals }: BilledWindow,
): bigint {
  const totalOf = (id: string): bigint => BigInt(totals[id] ?? 0);
  const counter = draft.counters.find(counterId(subscriptionId, feature.id));
  const cells = counter === null ? undefined : cellsOf(draft, counter);
  return overageMinor(terms, {
    ...use,
    total: totalOf(feature.id),
    cells: cells?.map((cell) => ({ ...cell, total: totalOf(cell.id) })),
  });
}

/** Returns the price of the overdraft that a window billed in a pool. */
function priceOfOverdraft(
  pool: Pool,
  window: BilledWindow,
  overdrafts: readonly Overdraft[],
  currency: string,
): bigint {
  const price = overdrafts.find((one) => one.pool === pool)?.price ?? null;
  return overdraftMinor(maxOf(0n, -BigInt(billedPools(window)[pool] ?? 0)), price, currency);
}

/**
 * Adds the difference between the billed and the corrected price of each correction to the next invoice, and to the
 * correction. Returns the billed usage with these differences. `recorded` contains the corrected totals.
 */
export function addBilledCorrections(
  draft: Draft,
  { id, currency }: SubscriptionRow,
  { corrected = [], ...billed }: BilledWindow,
  { usage, overdrafts }: RecordedWindow,
): BilledUsage {
  const amounts = new Map(
    Object.entries(billed.usage ?? {}).map(([featureId, minor]) => [featureId, BigInt(minor)]),
  );
  const pending: PendingCorrection[] = [];
  let before: BilledWindow = billed;
  for (const correction of corrected) {
    const { featureId } = correction;
    const after = withCorrection(before, correction);
    const one = usage.find(({ feature }) => feature.id === featureId);
    if (one !== undefined) {
      const pool = one.terms.pool?.pool ?? null;
      const prices: Prices =
        pool === null
          ? { billed: amounts.get(featureId) ?? 0n, price: priceOfTotals(draft, id, one, after) }
          : {
              billed: priceOfOverdraft(pool, before, overdrafts, currency),
              price: priceOfOverdraft(pool, after, overdrafts, currency),
            };
      if (pool === null) amounts.set(featureId, prices.price);
      const amountMinor = prices.price - prices.billed;
      draft.pricedCorrections.push({ id: correction.id, amountMinor });
      if (amountMinor !== 0n) pending.push(pendingOf(correction.id, one, prices));
    }
    before = after;
  }
  if (pending.length > 0) {
    const { corrections } = draft.subscriptions.get(id);
    draft.subscriptions.patch(id, { corrections: [...corrections, ...pending] });
  }
  return amounts;
}
