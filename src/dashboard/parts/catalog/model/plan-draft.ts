// Values of a plan that can be edited on its page. `plan-answer.ts` reads the stored values. `changes.ts` compares the edited values with the
// stored values and determines the commands to send.
import type { CardDraft } from './card-draft.ts';
import type { CostChange, DerivedDraft } from './derived-draft.ts';
import type { OverrideDraft } from './override-draft.ts';
import type { RateDraft } from './rate-draft.ts';

export type Interval = 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'one_time';
export type Model = 'metered' | 'credits' | 'balance';
export type FeatureKind = 'boolean' | 'usage' | 'seats' | 'quota';
export type PricingMode = 'fixed' | 'ai_model';

/** Billing intervals in display order. */
export const intervals: readonly Interval[] = ['weekly', 'monthly', 'quarterly', 'yearly', 'one_time'];

/**
 * Terms of a feature in a plan. Unit prices and amounts are in ten-thousandths of the currency unit (10,000 = 1.00); the margin is in basis points.
 */
export type FeatureDraft = {
  readonly featureId: string;
  readonly code: string;
  readonly name: string;
  readonly type: FeatureKind;
  readonly unitName: string | null;
  /** Maximum number of decimals of a quantity, by the feature's meter. */
  readonly decimals: number;
  readonly enabled: boolean;
  readonly includedAmount: number;
  readonly unlimited: boolean;
  readonly overageEnabled: boolean;
  readonly unitPrice: number | null;
  /** Price of the units if it isn't only a price per unit. `null` if `unitPrice` is the whole price. */
  readonly rate: RateDraft | null;
  /** Rates that replace `rate` in markets and currencies. */
  readonly overrides: readonly OverrideDraft[];
  /** Rate derived from the cost. `null` if the rate isn't derived, or if `pricingMode` and `margin` contain the whole rate. */
  readonly derived: DerivedDraft | null;
  /** Rates by dimension. `null` if all usage has the same rate. */
  readonly card: CardDraft | null;
  /**
   * Pool from which usage is deducted, by its asset; a pool of `null` means that usage is invoiced. `null` if the plan's consumption
   * model determines the settlement.
   */
  readonly settle: { readonly pool: string | null } | null;
  /** `null` if the cost is unchanged. */
  readonly cost: CostChange | null;
  readonly creditsPerUnit: number | null;
  readonly pricingMode: PricingMode;
  readonly margin: number | null;
  /** Typed unit prices in other currencies. Excludes unit prices that are converted with the exchange rate. */
  readonly typed: Readonly<Record<string, number>>;
};

/** Amount in another currency in minor units, and the balance per usage window as a rate. A balance of `null` is converted with the exchange rate. */
type RegionalAmount = { readonly price: number; readonly includedBalance: number | null };

type MarketAmount = { readonly currency: string; readonly price: number };

/** Price of a plan. The ID of an unsaved price starts with `new:`. */
export type PriceDraft = {
  readonly id: string;
  readonly baseId: string | null;
  readonly label: string;
  readonly interval: Interval;
  readonly price: number;
  readonly trialDays: number;
  readonly includedCredits: number | null;
  readonly includedBalance: number | null;
  /** Minimum spend per billing period in US cents. `null` if the price has no minimum. */
  readonly minimumSpend: number | null;
  readonly isDefault: boolean;
  readonly offerId: string | null;
  readonly typed: Readonly<Record<string, RegionalAmount>>;
  /** Currencies whose amounts are converted with the exchange rate. */
  readonly derived: readonly string[];
  readonly markets: Readonly<Record<string, MarketAmount>>;
};

export type PlanDraft = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly groupId: string | null;
  readonly model: Model;
  readonly isFree: boolean;
  readonly features: readonly FeatureDraft[];
  readonly prices: readonly PriceDraft[];
  /** Exchange rates in currency units per US dollar, by currency code. */
  readonly rates: Readonly<Record<string, number>>;
};

/** Returns the base prices, in the display order of their intervals. */
export const basePrices = (draft: Pick<PlanDraft, 'prices'>): PriceDraft[] =>
  draft.prices
    .filter(({ baseId }) => baseId === null)
    .toSorted((a, b) => intervals.indexOf(a.interval) - intervals.indexOf(b.interval));

/** Returns the variants of a base price. */
export const variantsOf = (draft: Pick<PlanDraft, 'prices'>, id: string): PriceDraft[] =>
  draft.prices.filter(({ baseId }) => baseId === id);

/** True if a price isn't saved yet. */
export const isNew = ({ id }: Pick<PriceDraft, 'id'>): boolean => id.startsWith('new:');

/** Returns the draft with changes to a price. */
export const withPrice = (draft: PlanDraft, id: string, changes: Partial<PriceDraft>): PlanDraft => ({
  ...draft,
  prices: draft.prices.map((price) => (price.id === id ? { ...price, ...changes } : price)),
});

/** Returns the draft with another default price. */
export const withDefault = (draft: PlanDraft, id: string): PlanDraft => ({
  ...draft,
  prices: draft.prices.map((price) => ({ ...price, isDefault: price.id === id })),
});

/**
 * Returns the draft after removing a price and the price's variants. If the default price is removed, another base
 * price becomes the default.
 */
export function withoutPrice(draft: PlanDraft, id: string): PlanDraft {
  const prices = draft.prices.filter((price) => price.id !== id && price.baseId !== id);
  const left = { ...draft, prices };
  const first = basePrices(left)[0];
  return prices.some(({ isDefault }) => isDefault) || first === undefined
    ? left
    : withDefault(left, first.id);
}

/** Returns the draft with changes to a feature. */
export const withFeature = (
  draft: PlanDraft,
  featureId: string,
  changes: Partial<FeatureDraft>,
): PlanDraft => ({
  ...draft,
  features: draft.features.map((feature) =>
    feature.featureId === featureId ? { ...feature, ...changes } : feature,
  ),
});

/** Creates a price for an interval. The first price of a plan is its default price. */
export const newPrice = (draft: PlanDraft, interval: Interval, price = 0): PriceDraft => ({
  id: `new:${interval}`,
  baseId: null,
  label: '',
  interval,
  price,
  trialDays: 0,
  includedCredits: null,
  includedBalance: null,
  minimumSpend: null,
  isDefault: basePrices(draft).length === 0,
  offerId: null,
  typed: {},
  derived: Object.keys(draft.rates),
  markets: {},
});

/** Returns the draft with an exchange rate. Amounts that weren't typed are converted with this rate. */
export const withRate = (draft: PlanDraft, currency: string, rate: number): PlanDraft => ({
  ...draft,
  rates: { ...draft.rates, [currency]: rate },
  prices: draft.prices.map((price) =>
    price.baseId !== null || price.derived.includes(currency) || price.typed[currency] !== undefined
      ? price
      : { ...price, derived: [...price.derived, currency] },
  ),
});
