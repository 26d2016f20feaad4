// A plan while it is edited: everything a merchant can change on one page, as plain values. Made from what the service answered; compared with it
// to find what to send (plan-changes.ts).

export type Interval = 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'one_time';
export type Model = 'metered' | 'credits' | 'balance';
export type FeatureKind = 'boolean' | 'usage' | 'seats' | 'quota';
export type PricingMode = 'fixed' | 'ai_model';

/** Intervals in the order they are listed. */
export const intervals: readonly Interval[] = ['weekly', 'monthly', 'quarterly', 'yearly', 'one_time'];

/** Terms of a feature in a plan. Unit prices and amounts by currency are rates (10 000 is 1.00), the margin is basis points. */
export type FeatureDraft = {
  readonly featureId: string;
  readonly code: string;
  readonly name: string;
  readonly type: FeatureKind;
  readonly unitName: string | null;
  readonly enabled: boolean;
  readonly includedAmount: number;
  readonly unlimited: boolean;
  readonly overageEnabled: boolean;
  readonly unitPrice: number | null;
  readonly creditsPerUnit: number | null;
  readonly pricingMode: PricingMode;
  readonly margin: number | null;
  /** Unit prices in other currencies that were typed; those that follow the exchange rate are not here. */
  readonly typed: Readonly<Record<string, number>>;
};

/** An amount in another currency: minor units, and the balance per window as a rate; null where the converted one counts. */
export type RegionalAmount = { readonly price: number; readonly includedBalance: number | null };

/** An amount of a market, in minor units of its currency. */
export type MarketAmount = { readonly currency: string; readonly price: number };

/** A price of a plan. `id` begins with `new:` until it is saved. */
export type PriceDraft = {
  readonly id: string;
  readonly baseId: string | null;
  readonly label: string;
  readonly interval: Interval;
  readonly price: number;
  readonly trialDays: number;
  readonly includedCredits: number | null;
  readonly includedBalance: number | null;
  readonly isDefault: boolean;
  readonly offerId: string | null;
  readonly typed: Readonly<Record<string, RegionalAmount>>;
  /** Currencies whose amount follows the exchange rate. */
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
  /** Units of a currency for 1 USD, by currency. */
  readonly rates: Readonly<Record<string, number>>;
};

type Terms = {
  readonly enabled: boolean;
  readonly includedAmount: number;
  readonly unlimited: boolean;
  readonly creditsPerUnit: number | null;
  readonly pricingMode: PricingMode;
  readonly margin: number | null;
  readonly overage: { readonly enabled: boolean; readonly unitPrice: number };
  readonly feature: {
    readonly id: string;
    readonly code: string;
    readonly name: string;
    readonly type: FeatureKind;
    readonly unitName: string | null;
  };
};

type Offered = {
  readonly code: string;
  readonly overage: { readonly unitPrice: number | null } | null;
  readonly regionalPrices: readonly {
    readonly currency: string;
    readonly overageUnitPrice: number | null;
    readonly autoSynced: boolean;
  }[];
};

/** What a plan's query answers of it. */
export type PlanAnswer = {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly isPublic: boolean;
  readonly isFree: boolean;
  readonly planGroupId: string | null;
  readonly consumptionModel: Model | null;
  readonly featureTerms: readonly Terms[];
  readonly features: readonly Offered[];
  readonly exchangeRates: readonly { readonly currency: string; readonly exchangeRate: number }[];
  readonly prices: readonly PriceAnswer[];
};

/** What a plan's query answers of a price. */
export type PriceAnswer = {
  readonly id: string;
  readonly inheritsFromPriceId: string | null;
  readonly metadata: unknown;
  readonly billingInterval: Interval;
  readonly price: number;
  readonly trialDays: number;
  readonly includedCredits: number | null;
  readonly includedBalance: number | null;
  readonly isDefault: boolean;
  readonly offerId: string | null;
  readonly regionalPrices: readonly {
    readonly currency: string;
    readonly price: number;
    readonly includedBalance: number | null;
    readonly autoSynced: boolean;
  }[];
  readonly marketPrices: readonly {
    readonly marketGroupId: string;
    readonly currency: string;
    readonly price: number;
  }[];
};

/** The name a variant has in its metadata; empty without one. */
function labelOf(metadata: unknown): string {
  const name = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

function featureDraft(terms: Terms, offered: Offered | undefined): FeatureDraft {
  const { feature, overage, ...rest } = terms;
  const typed = (offered?.regionalPrices ?? []).flatMap(({ currency, overageUnitPrice, autoSynced }) =>
    autoSynced || overageUnitPrice === null ? [] : [[currency, overageUnitPrice] as const],
  );
  return {
    featureId: feature.id,
    code: feature.code,
    name: feature.name,
    type: feature.type,
    unitName: feature.unitName,
    enabled: rest.enabled,
    includedAmount: rest.includedAmount,
    unlimited: rest.unlimited,
    overageEnabled: overage.enabled,
    unitPrice: offered?.overage?.unitPrice ?? (overage.unitPrice === 0 ? null : overage.unitPrice),
    creditsPerUnit: rest.creditsPerUnit,
    pricingMode: rest.pricingMode,
    margin: rest.margin,
    typed: Object.fromEntries(typed),
  };
}

function priceDraft(price: PriceAnswer): PriceDraft {
  const typed = price.regionalPrices.flatMap(({ currency, price: amount, includedBalance, autoSynced }) =>
    autoSynced || price.inheritsFromPriceId !== null
      ? []
      : [[currency, { price: amount, includedBalance }] as const],
  );
  return {
    id: price.id,
    baseId: price.inheritsFromPriceId,
    label: labelOf(price.metadata),
    interval: price.billingInterval,
    price: price.price,
    trialDays: price.trialDays,
    includedCredits: price.includedCredits,
    includedBalance: price.includedBalance,
    isDefault: price.isDefault,
    offerId: price.offerId,
    typed: Object.fromEntries(typed),
    derived: price.regionalPrices.filter(({ autoSynced }) => autoSynced).map(({ currency }) => currency),
    markets: Object.fromEntries(
      price.marketPrices.map(({ marketGroupId, currency, price: amount }) => [
        marketGroupId,
        { currency, price: amount },
      ]),
    ),
  };
}

/** The draft of a plan as it is stored. */
export function draftOf(plan: PlanAnswer): PlanDraft {
  const offered = new Map(plan.features.map((feature) => [feature.code, feature]));
  return {
    id: plan.id,
    name: plan.name,
    description: plan.description ?? '',
    isPublic: plan.isPublic,
    groupId: plan.planGroupId,
    model: plan.consumptionModel ?? 'metered',
    isFree: plan.isFree,
    features: plan.featureTerms.map((terms) => featureDraft(terms, offered.get(terms.feature.code))),
    prices: plan.prices.map(priceDraft),
    rates: Object.fromEntries(
      plan.exchangeRates.map(({ currency, exchangeRate }) => [currency, exchangeRate]),
    ),
  };
}

/** Base prices in the order of intervals. */
export const basePrices = (draft: Pick<PlanDraft, 'prices'>): PriceDraft[] =>
  draft.prices
    .filter(({ baseId }) => baseId === null)
    .toSorted((a, b) => intervals.indexOf(a.interval) - intervals.indexOf(b.interval));

/** Variants of a base price. */
export const variantsOf = (draft: Pick<PlanDraft, 'prices'>, id: string): PriceDraft[] =>
  draft.prices.filter(({ baseId }) => baseId === id);

/** Whether a price is not stored yet. */
export const isNew = ({ id }: Pick<PriceDraft, 'id'>): boolean => id.startsWith('new:');

/** The draft with one of its prices changed. */
export const withPrice = (draft: PlanDraft, id: string, changes: Partial<PriceDraft>): PlanDraft => ({
  ...draft,
  prices: draft.prices.map((price) => (price.id === id ? { ...price, ...changes } : price)),
});

/** The draft with a price as the only default one. */
export const withDefault = (draft: PlanDraft, id: string): PlanDraft => ({
  ...draft,
  prices: draft.prices.map((price) => ({ ...price, isDefault: price.id === id })),
});

/** The draft without a price and its variants; another base price becomes the default one where it was. */
export function withoutPrice(draft: PlanDraft, id: string): PlanDraft {
  const prices = draft.prices.filter((price) => price.id !== id && price.baseId !== id);
  const left = { ...draft, prices };
  const first = basePrices(left)[0];
  return prices.some(({ isDefault }) => isDefault) || first === undefined
    ? left
    : withDefault(left, first.id);
}

/** The draft with one of its features changed. */
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

/** A price of an interval that is not saved yet. The first one is the default price. */
export const newPrice = (draft: PlanDraft, interval: Interval, price = 0): PriceDraft => ({
  id: `new:${interval}`,
  baseId: null,
  label: '',
  interval,
  price,
  trialDays: 0,
  includedCredits: null,
  includedBalance: null,
  isDefault: basePrices(draft).length === 0,
  offerId: null,
  typed: {},
  derived: Object.keys(draft.rates),
  markets: {},
});

/** The draft with an exchange rate, by which every amount that is not typed follows the US dollar amount. */
export const withRate = (draft: PlanDraft, currency: string, rate: number): PlanDraft => ({
  ...draft,
  rates: { ...draft.rates, [currency]: rate },
  prices: draft.prices.map((price) =>
    price.baseId !== null || price.derived.includes(currency) || price.typed[currency] !== undefined
      ? price
      : { ...price, derived: [...price.derived, currency] },
  ),
});
