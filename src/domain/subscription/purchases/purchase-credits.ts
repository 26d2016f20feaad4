// Purchases of credit packs and top-ups, before they're charged.

import type { Bought } from '../../invoicing/purchase.ts';
import { wireAmount } from '../../money/money.ts';
import type { CreditPackRow } from '../../pricing/catalog.ts';
import { creditsPool } from '../../pricing/pools.ts';
import { planPrice } from '../../pricing/resolve.ts';
import { type Explanation, explain } from '../../rows/explanation.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';

/** Largest balance that an API response can represent exactly. */
export const largestPool = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the price of a number of credit packs, converted to the subscription's currency at the plan's exchange rate and
 * rounded once. `null` if the plan has no rate for the currency.
 */
export const packPrice = (
  draft: Draft,
  subscription: SubscriptionRow,
  { priceMinor }: CreditPackRow,
  quantity = 1n,
): Explanation | null =>
  planPrice('CON-20', draft.aggregate.catalog, subscription, draft.dueAt, priceMinor * quantity);

/** Returns the purchase of a number of credit packs. */
export function packsBought(pack: CreditPackRow, price: Explanation, quantity = 1n): Bought {
  const credits = wireAmount(pack.credits * quantity);
  const name = quantity === 1n ? pack.name : `${quantity} × ${pack.name}`;
  const validity = pack.validDays === null ? {} : { validDays: pack.validDays };
  const refund = pack.refundTakesBack ? { refundTakesBack: true as const } : {};
  const unit = pack.asset === creditsPool ? {} : { asset: pack.asset };
  return {
    type: 'credit_purchase',
    description: pack.asset === creditsPool ? `${name}: ${credits} credits` : name,
    price,
    purchase: { creditPackName: pack.name, credits, ...unit, ...validity, ...refund },
  };
}

/** Returns the top-up of a balance by an amount before tax, in minor units. */
export const balanceBought = (amountMinor: bigint): Bought => ({
  type: 'balance_topup',
  description: 'Balance top-up',
  price: explain('CON-25', 'price', { price: amountMinor }),
  purchase: null,
});
