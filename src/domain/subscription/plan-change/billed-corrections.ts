// Corrections of events that an unpaid plan change billed (PRM-127, PRM-128). The invoice doesn't change. The difference is
// added to the next invoice when the plan changes.
import { maxOf } from '../../money/money.ts';
import { type BilledWindow, billedPools } from '../../rows/change-rows.ts';
import type { PendingCorrection, SubscriptionRow } from '../../rows/rows.ts';
import { overdraftMinor } from '../../usage/overdraft.ts';
import { overageMinor } from '../../usage/window.ts';
import type { WindowUsage } from '../allowances/addon-bases.ts';
import type { RecordedWindow } from '../allowances/arrears.ts';
import type { BilledUsage } from '../allowances/final-prices.ts';
import type { Draft } from '../state/draft.ts';

/** Price before and after the corrections, in minor units. */
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

/**
 * Adds the differences between the billed and the corrected prices of a window to the next invoice. Returns the billed usage
 * with these differences. `recorded` contains the corrected totals.
 */
export function addBilledCorrections(
  draft: Draft,
  { id, currency }: SubscriptionRow,
  window: BilledWindow,
  { usage, overdrafts }: RecordedWindow,
): BilledUsage {
  const amounts = new Map(
    Object.entries(window.usage ?? {}).map(([featureId, minor]) => [featureId, BigInt(minor)]),
  );
  const { corrected } = window;
  if (corrected === undefined) return amounts;
  const pending: PendingCorrection[] = [];
  const pools = new Set<string>();
  const add = (one: WindowUsage, prices: Prices): void => {
    const correctionId = corrected.ids[one.feature.id];
    if (correctionId !== undefined && prices.price !== prices.billed)
      pending.push(pendingOf(correctionId, one, prices));
  };
  for (const one of usage) {
    const { feature, terms, use } = one;
    if (corrected.ids[feature.id] === undefined) continue;
    if (terms.pool === null) {
      const prices = { billed: amounts.get(feature.id) ?? 0n, price: overageMinor(terms, use) };
      amounts.set(feature.id, prices.price);
      add(one, prices);
      continue;
    }
    const { pool } = terms.pool;
    const overdraft = overdrafts.find((each) => each.pool === pool);
    if (overdraft === undefined || pools.has(pool)) continue;
    pools.add(pool);
    const priceOf = (amount: bigint): bigint => overdraftMinor(amount, overdraft.price, currency);
    const before = maxOf(0n, -BigInt(billedPools(window)[pool] ?? 0));
    add(one, { billed: priceOf(before), price: priceOf(overdraft.amount) });
  }
  if (pending.length > 0) {
    const { corrections } = draft.subscriptions.get(id);
    draft.subscriptions.patch(id, { corrections: [...corrections, ...pending] });
  }
  return amounts;
}
