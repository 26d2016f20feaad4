import { derivedRate, type Rate } from '../../../../domain/rates/rate.ts';
import { mostMeterDecimals } from './card-draft.ts';
import { exchangeRateE8 } from './exchange.ts';
import { overrideIn, withBoundsOf } from './override-draft.ts';
import type { FeatureDraft, PlanDraft } from './plan-draft.ts';
import { readDraft } from './rate-draft.ts';

/** Price of the usage that meets a condition, or of all other usage if the condition is empty. */
export type CellPrice = { readonly condition: string; readonly rate: Rate };

/** Returns the rates of a feature by dimension in a currency. Empty if they are invalid, or if the plan has no exchange rate for the currency. */
export function cellsIn(
  plan: Pick<PlanDraft, 'rates'>,
  { card }: Pick<FeatureDraft, 'card'>,
  currency: string,
): readonly CellPrice[] {
  const rateE8 = currency === 'usd' ? null : exchangeRateE8(plan.rates[currency] ?? 0);
  if (card === null || (currency !== 'usd' && rateE8 === null)) return [];
  const cells = [...card.cells, ...(card.other === null ? [] : [{ condition: '', rate: card.other }])];
  return cells.flatMap(({ condition, rate }) => {
    const read = readDraft(rate, mostMeterDecimals);
    if ('problems' in read) return [];
    return [{ condition, rate: rateE8 === null ? read.rate : derivedRate(read.rate, rateE8) }];
  });
}

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
  const read = readDraft(
    override === undefined ? feature.rate : withBoundsOf(feature.rate, override.rate),
    feature.decimals,
  );
  if ('problems' in read) return null;
  if (currency === 'usd' || override !== undefined) return read.rate;
  const rateE8 = exchangeRateE8(plan.rates[currency] ?? 0);
  return rateE8 === null ? null : derivedRate(read.rate, rateE8);
}
