import { marginOf, pricingModeOf } from '../../../domain/pricing/feature-cell.ts';
import {
  type CostDocument,
  type DerivedRate as DerivedRateDocument,
  isDerived,
  isFromModels,
  ownRate,
} from '../../../domain/rates/derived.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { FeatureType } from '../features/types.ts';
import { PricingMode } from '../plans/enums.ts';
import type { PlanFeatureRow } from '../plans/store.ts';
import { creditsPerUnitOf, unitPriceOf } from '../rates/compute-first-unit.ts';
import { RateSource } from '../rates/enums.ts';
import { FeatureRateCard, featureCardFields, shownCard } from '../rates/types/card.ts';
import { FeatureSettlement, FeatureSettlementInput } from '../rates/types/settlement.ts';
import {
  DerivedRate,
  derivedRateFields,
  featureRateFields,
  Rate,
  rateFields,
  rateUnlessPlain,
  rateWithOverrides,
  unlessPlainText,
} from '../rates/types.ts';
import { loadCurrencyRates } from '../regional-pricing/load-current.ts';
import { FeatureRegionalPrice } from '../regional-pricing/types.ts';
import type { OfferedFeature as Offered } from './load-offered.ts';
import { loadPool, loadSettlement, type PricedTerms } from './load-pool.ts';
import { settleText } from './read-settlement.ts';

const PlanFeatureOverage = builder.objectRef<PricedTerms>('PlanFeatureOverage').implement({
  description: 'Terms for units above the included amount.',
  fields: (t) => ({
    enabled: t
      .member('overageEnabled', 'Boolean')
      .describe('Whether customers can use more than the included amount.'),
    unitPrice: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description:
        'Price of the first unit in ten-thousandths of a US dollar (10,000 = 1.00 USD), rounded. 0 if no price in US dollars was set.',
      resolve: (terms) => unitPriceOf(terms) ?? 0n,
    }),
  }),
});

/** Returns a derived rate. `null` if `isOmitted` is true and the pricing mode with the margin contains the whole rate. */
function derivedUnlessPlain(
  { rate, costRate }: Pick<PlanFeatureRow, 'rate' | 'costRate'>,
  isOmitted: boolean | null | undefined,
): DerivedRateDocument | null {
  if (!isDerived(rate)) return null;
  const isPlain = isFromModels(costRate) && rate.modifiers === undefined;
  return isPlain && isOmitted === true ? null : rate;
}

export const PlanFeature = builder.prismaObject('PlanFeature', {
  ...node({ prefix: 'plf' }),
  description: 'Terms on which a plan includes a feature.',
  fields: (t) => ({
    ...t.columns('id', 'planId', 'featureId', 'enabled', 'includedAmount', 'unlimited'),
    overage: t.computed({
      type: PlanFeatureOverage,
      description: 'Terms for units above the included amount.',
      columns: ['planId', 'featureId', 'overageEnabled', 'rate', 'settle'],
      resolve: async ({ overageEnabled, rate, ...pair }, _args, ctx) => ({
        overageEnabled,
        rate,
        pool: await loadPool(ctx, pair),
      }),
    }),
    rate: t.computed({
      type: Rate,
      nullable: true,
      description:
        'Price of units above the included amount, in US dollars. If usage is deducted from a pool, the price of all units, in US dollars or credits. `null` if no price was set.',
      args: {
        unlessPlain: t.arg.boolean({
          description: unlessPlainText('overage.unitPrice` or `creditsPerUnit'),
        }),
      },
      columns: ['planId', 'featureId', 'rate', 'overrides', 'settle'],
      resolve: async ({ rate, overrides, ...pair }, { unlessPlain }, ctx) =>
        rateWithOverrides(ownRate(rate), overrides, await loadPool(ctx, pair), unlessPlain),
    }),
    rateCard: t.computed({
      type: FeatureRateCard,
      nullable: true,
      description:
        'Rates by dimension, of the feature itself or of a saved rate card. `null` if the feature has one rate for all usage.',
      columns: ['rate', 'overrides'],
      resolve: ({ rate, overrides }) => shownCard(rate, overrides),
    }),
    derivedRate: t.computed({
      type: DerivedRate,
      nullable: true,
      description: "Rate that is derived from the feature's cost. `null` if the rate isn't derived.",
      args: {
        unlessPlain: t.arg.boolean({
          description:
            'Whether to return `null` if `pricingMode` and `margin` contain the whole rate. Defaults to `false`.',
        }),
      },
      columns: ['rate', 'costRate'],
      resolve: (row, { unlessPlain }) => derivedUnlessPlain(row, unlessPlain),
    }),
    creditsPerUnit: t.computed({
      type: 'SafeInt',
      nullable: true,
      description:
        'Credits for the first unit, rounded to a whole number, at least 1. `null` unless the feature is a usage feature of a credits plan.',
      columns: ['planId', 'featureId', 'rate', 'settle'],
      resolve: async ({ rate, ...pair }, _args, ctx) =>
        creditsPerUnitOf({ rate, pool: await loadPool(ctx, pair) }),
    }),
    pricingMode: t.computed({
      type: PricingMode,
      description:
        "Source of the unit price. The value `ai_model` means that the rate is derived from the AI models' token prices.",
      columns: ['rate', 'costRate'],
      resolve: (row) => pricingModeOf(row),
    }),
    margin: t.computed({
      type: 'Int',
      nullable: true,
      description:
        "Margin on the AI model's token prices, in basis points; 10,000 = 100%. `null` unless the pricing mode is `ai_model`.",
      columns: ['rate', 'costRate'],
      resolve: (row) => marginOf(row),
    }),
    settle: t.computed({
      type: FeatureSettlement,
      nullable: true,
      description:
        "Settlement of the feature's usage. `null` if the plan's consumption model determines the settlement.",
      columns: ['planId', 'featureId', 'settle'],
      resolve: (row, _args, ctx) => loadSettlement(ctx, row),
    }),
    feature: t.row('feature', { description: 'Feature that the plan includes.' }),
    ...t.resource('plan_feature'),
  }),
});

restView(
  'PlanFeature',
  'PlanFeature',
  `planId featureId enabled includedAmount unlimited overage { enabled unitPrice } rate(unlessPlain: true) { ${featureRateFields} }
   rateCard { ${featureCardFields} } derivedRate(unlessPlain: true) { ${derivedRateFields} } creditsPerUnit pricingMode margin settle { pool } object livemode`,
  { absentWhenUnset: ['settle', 'rate', 'rate.overrides', 'rateCard', 'rateCard.overrides', 'derivedRate'] },
);

restView(
  'PlanFeatureRate',
  'PlanFeature',
  `planId featureId enabled includedAmount unlimited overage { enabled unitPrice } rate { ${featureRateFields} }
   rateCard { ${featureCardFields} } derivedRate { ${derivedRateFields} } creditsPerUnit pricingMode margin settle { pool } object livemode`,
  { absentWhenUnset: ['settle', 'rate.overrides', 'rateCard', 'rateCard.overrides', 'derivedRate'] },
);

/** Cost of a feature in a plan. */
type FeatureCostShape = {
  readonly planId: string;
  readonly featureId: string;
  readonly cost: CostDocument | null;
};

export const PlanFeatureCost = builder.objectRef<FeatureCostShape>('PlanFeatureCost').implement({
  description: 'Cost of a feature in a plan for the organization. Customers never see costs.',
  fields: (t) => ({
    planId: t.member('planId', 'ID').describe('ID of the plan that includes the feature.'),
    featureId: t.member('featureId', 'ID').describe('ID of the feature.'),
    from: t.field({
      type: RateSource,
      nullable: true,
      description: 'Source of the cost. `null` if `rate` contains the cost, or if no cost was set.',
      resolve: ({ cost }) => (cost !== null && 'from' in cost ? cost.from : null),
    }),
    rate: t.field({
      type: Rate,
      nullable: true,
      description:
        'Cost of the units, in US dollars. `null` if the AI models determine the cost, or if no cost was set.',
      resolve: ({ cost }) => (cost === null || 'from' in cost ? null : cost),
    }),
    ...t.resource('plan_feature_cost'),
  }),
});

restView(
  'PlanFeatureCost',
  'PlanFeatureCost',
  `planId featureId from rate { ${rateFields} } object livemode`,
);

const OfferedOverage = builder.objectRef<PricedTerms>('OfferedOverage').implement({
  description: 'Terms for units above the included amount.',
  fields: (t) => ({
    enabled: t
      .member('overageEnabled', 'Boolean')
      .describe('Whether customers can use more than the included amount.'),
    model: t.string({
      nullable: true,
      description: 'Always `per_unit`. For other pricing models, see `rate`. Never `null`.',
      resolve: () => 'per_unit',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Price of the first unit in ten-thousandths of a US dollar (10,000 = 1.00 USD), rounded. `null` if no price in US dollars was set.',
      resolve: unitPriceOf,
    }),
    rate: t.field({
      type: Rate,
      nullable: true,
      description:
        'Price of the units, in US dollars. In credits for usage features of credits plans. `null` if no price was set.',
      args: {
        unlessPlain: t.arg.boolean({
          description: unlessPlainText('unitPrice` or `creditsPerUnit'),
        }),
      },
      resolve: ({ rate, pool }, { unlessPlain }) => rateUnlessPlain(ownRate(rate), pool, unlessPlain),
    }),
  }),
});

export const OfferedFeature = builder.objectRef<Offered>('OfferedFeature').implement({
  description: 'A feature that a plan includes, with its main terms.',
  fields: (t) => ({
    code: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    name: t.string({ description: 'Name of the feature.', resolve: ({ feature }) => feature.name }),
    type: t.field({
      type: FeatureType,
      description: 'Type of the feature.',
      resolve: ({ feature }) => feature.type,
    }),
    unitName: t.string({
      nullable: true,
      description: 'Name of one unit, such as "request". `null` if not set.',
      resolve: ({ feature }) => feature.unitName,
    }),
    enabled: t.boolean({
      description: 'Whether subscribers can use the feature.',
      resolve: ({ row }) => row.enabled,
    }),
    includedAmount: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Number of units included in the price, per usage window for usage features. `null` if the feature is boolean.',
      resolve: ({ row, feature }) => (feature.type === 'boolean' ? null : row.includedAmount),
    }),
    unlimited: t.boolean({
      description: "Whether usage is unlimited. If `true`, the included amount and overage don't apply.",
      resolve: ({ row }) => row.unlimited,
    }),
    overage: t.field({
      type: OfferedOverage,
      nullable: true,
      description: 'Terms for units above the included amount. `null` if the feature is boolean.',
      resolve: ({ terms, feature }) => (feature.type === 'boolean' ? null : terms),
    }),
    regionalPrices: t.field({
      type: [FeatureRegionalPrice],
      description: 'Unit prices in currencies other than USD, sorted by currency.',
      resolve: ({ row, terms }, _args, ctx) => loadCurrencyRates(ctx, row, terms.pool),
    }),
  }),
});

export const RemovedPlanFeature = builder.objectRef<{ readonly id: string }>('RemovedPlanFeature').implement({
  description: 'Confirmation that a feature was removed from a plan.',
  fields: (t) => ({
    featureId: t.member('id', 'ID').describe('ID of the feature.'),
    removed: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    ...t.resource('plan_feature'),
  }),
});

restView('RemovedPlanFeature', 'RemovedPlanFeature', 'id: featureId removed object livemode');

export const PlanFeatureOverageInput = builder.inputType('PlanFeatureOverageInput', {
  description: 'Terms for units above the included amount. Omitted fields keep their values.',
  fields: (t) => ({
    enabled: t.boolean({
      description: 'Whether customers can use more than the included amount. Not allowed for free plans.',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      amount: 'RATE',
      description:
        'Price per unit in ten-thousandths of a US dollar (10,000 = 1.00 USD), 0 or more. On balance plans, the amount deducted from the balance per unit.',
    }),
  }),
});

/** Input fields shared by the mutation that updates terms and the query that previews the impact. */
export const PlanFeatureUpdateInput = builder.inputType('PlanFeatureUpdateInput', {
  description: 'Parameters for changing the terms of a feature in a plan. Omitted fields keep their values.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Plan ID or plan code.' }),
    featureId: t.id({ required: true, description: 'ID of the feature.' }),
    enabled: t.boolean({ description: 'Whether subscribers can use the feature.' }),
    includedAmount: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      description: 'Number of units included in the price, per usage window for usage features.',
    }),
    unlimited: t.boolean({
      description: "Whether usage is unlimited. If `true`, the included amount and overage don't apply.",
    }),
    overage: t.field({
      type: PlanFeatureOverageInput,
      description: 'Terms for units above the included amount.',
    }),
    settle: t.field({
      type: FeatureSettlementInput,
      description: settleText,
    }),
    creditsPerUnit: t.field({
      type: 'SafeInt',
      rule: { exclusiveMinimum: 0, nullable: true },
      description:
        "Credits deducted per unit, greater than 0. Replaces the rate. Can't be removed from usage features of credits plans.",
    }),
  }),
});
