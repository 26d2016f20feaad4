import { derivedRate, type Rate } from '../../../../domain/rates/rate.ts';
import { exchangeRateE8 } from './exchange.ts';
import { overrideIn, withBoundsOf } from './override-draft.ts';
import type { FeatureDraft, PlanDraft } from './plan-draft.ts';
import { readDraft } from './rate-draft.ts';

/**
 * Returns the rate of a feature in a currency and a market. `marketId` is `null` if the customer is in none of the markets. Returns `null` if the price is only
 * a price per unit, if the rate is invalid, or if the plan has no exchange rate for the currency. A unit price that was set manually for the
 * currency replaces the rate.
 */
export function rateIn(
  plan: Pick<PlanDraft, 'rates'>,
  feature: FeatureDraft,
  currency: string,
  marketId: string | null,
): Rate | null {
  if (feature.rate === null || feature.typed[currency] !== undefined) return null;
  const override = overrideIn(feature.overrides, currency, marketId);
  const read = readDraft(override === undefined ? feature.rate : withBoundsOf(feature.rate, override.rate));
  if ('problems' in read) return null;
  if (currency === 'usd' || override !== undefined) return read.rate;
  const rateE8 = exchangeRateE8(plan.rates[currency] ?? 0);
  return rateE8 === null ? null : derivedRate(read.rate, rateE8);
}
