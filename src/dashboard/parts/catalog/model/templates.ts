import type { FeatureDraft, FeatureKind, Interval, Model, PlanDraft, PriceDraft } from './plan-draft.ts';

// Templates for the first plan of a merchant. The templates contain the terms; the text catalog contains the names.

export type TemplateKind = 'flat' | 'seats' | 'usage' | 'ai';

export const templateKinds: readonly TemplateKind[] = ['flat', 'seats', 'usage', 'ai'];

/** Names of a template's objects, in the merchant's language. */
export type TemplateNames = {
  readonly plan: string;
  readonly description: string;
  readonly feature: string;
  readonly unit: string;
};

type Terms = {
  readonly model: Model;
  readonly price: number;
  readonly trialDays: number;
  readonly includedCredits: number | null;
  readonly feature: {
    readonly code: string;
    readonly type: FeatureKind;
    readonly includedAmount: number;
    readonly overageEnabled: boolean;
    readonly unitPrice: number | null;
    readonly creditsPerUnit: number | null;
  };
  readonly use: number;
};

const none = { includedAmount: 0, overageEnabled: false, unitPrice: null, creditsPerUnit: null } as const;

/** Terms of each template. Amounts are in US cents; unit prices are in ten-thousandths of a US dollar. */
const terms: Record<TemplateKind, Terms> = {
  flat: {
    model: 'metered',
    price: 1_900,
    trialDays: 14,
    includedCredits: null,
    feature: { code: 'everything', type: 'boolean', ...none },
    use: 1,
  },
  seats: {
    model: 'metered',
    price: 2_400,
    trialDays: 14,
    includedCredits: null,
    feature: {
      ...none,
      code: 'seats',
      type: 'seats',
      includedAmount: 2,
      overageEnabled: true,
      unitPrice: 120_000,
    },
    use: 5,
  },
  usage: {
    model: 'metered',
    price: 2_900,
    trialDays: 0,
    includedCredits: null,
    feature: {
      ...none,
      code: 'api_calls',
      type: 'usage',
      includedAmount: 10_000,
      overageEnabled: true,
      unitPrice: 20,
    },
    use: 25_000,
  },
  ai: {
    model: 'credits',
    price: 2_000,
    trialDays: 0,
    includedCredits: 2_000,
    feature: { ...none, code: 'generations', type: 'usage', creditsPerUnit: 5 },
    use: 300,
  },
};

/** Unsaved plan with one price and one feature. */
export type FirstPlanDraft = { readonly plan: PlanDraft; readonly use: number; readonly code: string };

/** Creates the draft of a template. The plan has the ID `new:plan`, its feature has the ID `new:feature`. */
export function templateDraft(kind: TemplateKind, names: TemplateNames): FirstPlanDraft {
  const { model, price, trialDays, includedCredits, feature, use } = terms[kind];
  const featureDraft: FeatureDraft = {
    featureId: 'new:feature',
    name: names.feature,
    unitName: names.unit === '' ? null : names.unit,
    decimals: 0,
    enabled: true,
    unlimited: false,
    rate: null,
    overrides: [],
    derived: null,
    card: null,
    settle: null,
    cost: null,
    pricingMode: 'fixed',
    margin: null,
    typed: {},
    ...feature,
  };
  const priceDraft: PriceDraft = {
    id: 'new:monthly',
    baseId: null,
    label: '',
    interval: 'monthly' as Interval,
    price,
    trialDays,
    includedCredits,
    includedBalance: null,
    minimumSpend: null,
    isDefault: true,
    offerId: null,
    typed: {},
    derived: [],
    markets: {},
  };
  const plan: PlanDraft = {
    id: 'new:plan',
    name: names.plan,
    description: names.description,
    isPublic: true,
    groupId: null,
    model,
    isFree: false,
    features: [featureDraft],
    prices: [priceDraft],
    rates: {},
  };
  return { plan, use, code: kind };
}
