import { type RateAnswer, type RateDraft, rateDraftOf, rateInputOf } from './rate-draft.ts';
import { withModel } from './rate-table.ts';

// Rates of a feature in markets and currencies while they're edited.

/** Rate that replaces another rate in a market, or in a currency if `marketId` is `null`. */
export type OverrideDraft = {
  readonly marketId: string | null;
  readonly currency: string;
  readonly rate: RateDraft;
};

/** Override as returned by the plan query. */
export type OverrideAnswer = RateAnswer & { readonly marketId: string | null; readonly currency: string };

/** Converts a saved override for editing. */
export const overrideDraftOf = ({ marketId, currency, ...rate }: OverrideAnswer): OverrideDraft => ({
  marketId,
  currency,
  rate: rateDraftOf(rate),
});

/** Returns the rate of an override with the bounds of the rate that it replaces. Added tiers have the amounts of the last tier. */
export function withBoundsOf(base: RateDraft, rate: RateDraft): RateDraft {
  const last = rate.tiers.at(-1);
  const tiers = base.tiers.map(({ upTo }, index) => ({
    amount: '',
    flat: '',
    ...(rate.tiers[index] ?? last),
    upTo,
  }));
  return rate.model === 'per_unit' ? withModel({ ...rate, tiers }, base.model) : { ...rate, tiers };
}

/** Returns the overrides of a rate as input for the service. */
export const overrideInputsOf = (base: RateDraft, overrides: readonly OverrideDraft[]) =>
  overrides.map(({ marketId, currency, rate }) => ({
    currency,
    ...(marketId !== null && { marketId }),
    ...rateInputOf(withBoundsOf(base, rate)),
  }));

/** Returns the override that applies in a currency and a market. `marketId` is `null` if the customer is in none of the markets. */
export const overrideIn = (
  overrides: readonly OverrideDraft[],
  currency: string,
  marketId: string | null,
): OverrideDraft | undefined =>
  overrides.find((one) => one.currency === currency && one.marketId !== null && one.marketId === marketId) ??
  overrides.find((one) => one.currency === currency && one.marketId === null);
