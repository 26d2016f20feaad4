import { type CardAnswer, cardDraftOf } from './card-draft.ts';
import { type DerivedAnswer, derivedDraftOf } from './derived-draft.ts';
import { type OverrideAnswer, overrideDraftOf } from './override-draft.ts';
import type {
  FeatureDraft,
  FeatureKind,
  Interval,
  Model,
  PlanDraft,
  PriceDraft,
  PricingMode,
} from './plan-draft.ts';
import { type RateAnswer, rateDraftOf } from './rate-draft.ts';

type Terms = {
  readonly enabled: boolean;
  readonly includedAmount: number;
  readonly unlimited: boolean;
  readonly creditsPerUnit: number | null;
  readonly pricingMode: PricingMode;
  readonly margin: number | null;
  readonly overage: { readonly enabled: boolean; readonly unitPrice: number };
  readonly rate: (RateAnswer & { readonly overrides: readonly OverrideAnswer[] | null }) | null;
  readonly rateCard: CardAnswer | null;
  readonly settle: { readonly pool: string | null } | null;
  readonly derivedRate: DerivedAnswer | null;
  readonly feature: {
    readonly id: string;
    readonly code: string;
    readonly name: string;
    readonly type: FeatureKind;
    readonly unitName: string | null;
    readonly meter?: { readonly decimals: number } | null;
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

/** Plan as returned by the plan query. */
type PlanAnswer = {
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

/** Price as returned by the plan query. */
type PriceAnswer = {
  readonly id: string;
  readonly inheritsFromPriceId: string | null;
  readonly metadata: unknown;
  readonly billingInterval: Interval;
  readonly price: number;
  readonly trialDays: number;
  readonly includedCredits: number | null;
  readonly includedBalance: number | null;
  readonly minimumSpend: number | null;
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

/** Returns the name of a variant from its metadata. Empty if the variant has no name. */
function labelOf(metadata: unknown): string {
  const name = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

function featureDraft(terms: Terms, offered: Offered | undefined): FeatureDraft {
  const { feature, overage, ...rest } = terms;
  const overrides = (rest.rate?.overrides ?? []).map(overrideDraftOf);
  const isOverridden = (currency: string): boolean =>
    overrides.some((one) => one.marketId === null && one.currency === currency);
  const typed = (offered?.regionalPrices ?? []).flatMap(({ currency, overageUnitPrice, autoSynced }) =>
    autoSynced || overageUnitPrice === null || isOverridden(currency)
      ? []
      : [[currency, overageUnitPrice] as const],
  );
  return {
    featureId: feature.id,
    code: feature.code,
    name: feature.name,
    type: feature.type,
    unitName: feature.unitName,
    decimals: feature.meter?.decimals ?? 0,
    enabled: rest.enabled,
    includedAmount: rest.includedAmount,
    unlimited: rest.unlimited,
    overageEnabled: overage.enabled,
    unitPrice: offered?.overage?.unitPrice ?? (overage.unitPrice === 0 ? null : overage.unitPrice),
    // Rates by dimension also have a rate that represents them.
    rate: rest.rate === null || rest.rateCard !== null ? null : rateDraftOf(rest.rate),
    overrides,
    derived: rest.derivedRate === null ? null : derivedDraftOf(rest.derivedRate),
    card: rest.rateCard === null ? null : cardDraftOf(rest.rateCard),
    settle: rest.settle === null ? null : { pool: rest.settle.pool },
    cost: null,
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
    minimumSpend: price.minimumSpend,
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

/** Converts a saved plan for editing. */
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
