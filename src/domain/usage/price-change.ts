// Changes of the price or the cost of usage after its events (PRM-119).
import type { FeatureRow } from '../pricing/catalog.ts';
import type { UsagePriceChangeRow } from '../rows/price-change-row.ts';
import type { ConsumingSubscription } from '../rows/usage-rows.ts';
import { type PriceAndCost, storedPriceAndCost } from './price-and-cost.ts';
import type { UsageTerms } from './terms.ts';

/** Window of a feature whose price or cost changes. */
export type PricedWindow = {
  readonly subscription: Pick<ConsumingSubscription, 'id' | 'customerId' | 'planId' | 'currency'>;
  readonly feature: Pick<FeatureRow, 'id'>;
  readonly terms: Pick<UsageTerms, 'exchangeRateE8'>;
  readonly newId: (prefix: string) => string;
  readonly now: Date;
};

/** Returns the row for a change of a price and a cost. Empty if neither changed. */
export function priceChanges(
  { subscription, feature, terms, newId, now }: PricedWindow,
  amounts: PriceAndCost,
  change: Pick<UsagePriceChangeRow, 'kind' | 'model' | 'ts' | 'windowStart'>,
): UsagePriceChangeRow[] {
  if (amounts.price === null && amounts.cost === null) return [];
  return [
    {
      id: newId('upc'),
      seq: null,
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
      featureId: feature.id,
      planId: subscription.planId,
      currency: subscription.currency,
      ...storedPriceAndCost(amounts, terms),
      ...change,
      createdAt: now,
    },
  ];
}
