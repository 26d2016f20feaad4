import { maxOf } from '../money.ts';
import type { Catalog } from '../pricing/catalog.ts';
import { priceAt } from '../pricing/resolve.ts';
import type { SubscriptionRow } from '../subscription/rows.ts';
import type { Included } from './pools.ts';

const nothing: Included = { credits: 0n, balanceRate: 0n };

/**
 * What a window of a subscription holds at an instant: what its price included when the terms began, and every raise since; what was
 * lowered waits for the next period (CAT-49). Nothing on free plans, which have no price, and while the price has no value in the currency.
 */
export function heldIncluded(
  catalog: Catalog,
  { priceId, currency, marketId, termsFrom }: Pick<SubscriptionRow, 'priceId' | 'currency' | 'marketId' | 'termsFrom'>,
  at: Date,
): Included {
  const price = priceId === null ? undefined : catalog.prices.get(priceId);
  if (price === undefined) return nothing;
  const from = termsFrom ?? at;
  const ids = [price.id, price.inheritsFromPriceId ?? price.id];
  const changes = [
    ...ids.flatMap((id) => catalog.priceVersions.get(id) ?? []),
    ...ids.flatMap((id) => catalog.priceOverrides.get(id) ?? []),
  ];
  const raises = changes.map(({ validFrom }) => validFrom).filter((validFrom) => validFrom > from && validFrom <= at);
  return [from, ...raises].reduce((held, instant) => {
    const resolved = priceAt(catalog, price, instant, { market: marketId, currency });
    if ('failure' in resolved) return held;
    return {
      credits: maxOf(held.credits, resolved.includedCredits ?? 0n),
      balanceRate: maxOf(held.balanceRate, resolved.includedBalanceRate ?? 0n),
    };
  }, nothing);
}
