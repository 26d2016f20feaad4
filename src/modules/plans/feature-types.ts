import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import { restView } from '../../graphql/rest.ts';
import type { FeatureRow } from '../features/service.ts';
import { Feature, FeatureType } from '../features/types.ts';
import { FeatureRegionalPrice, loadFeatureRates } from './regional-types.ts';
import type { PlanFeatureRow } from './service.ts';
import { PricingMode } from './words.ts';

/** A feature with the terms a plan offers it on. */
export type OfferedFeature = { readonly row: PlanFeatureRow; readonly feature: FeatureRow };

/** The features of a plan in the order they were attached. Two batched statements, however many plans ask. */
export async function loadOfferedFeatures(context: Context, planId: string): Promise<OfferedFeature[]> {
  const rows = await loadRowsBy(context, 'PlanFeature', 'planId', planId, 'seq');
  return Promise.all(rows.map(async (row) => ({ row, feature: await loadExistingRow(context, 'Feature', row.featureId) })));
}

const PlanFeatureOverage = builder.objectRef<PlanFeatureRow>('PlanFeatureOverage').implement({
  description: 'What units beyond the included ones cost.',
  fields: (t) => ({
    enabled: t.exposeBoolean('overageEnabled', { description: 'Whether more than the included amount can be used.' }),
    unitPrice: t.field({
      type: 'SafeInt',
      amount: 'RATE',
      description: 'Per unit; 10 000 is 1.00 USD. 0 when none was given.',
      resolve: (row) => row.unitPriceRate ?? 0n,
    }),
  }),
});

export const PlanFeature = builder.prismaObject('PlanFeature', {
  description: 'The terms on which a plan offers a feature.',
  fields: (t) => ({
    planId: t.exposeID('planId', { description: 'Id of the plan.' }),
    featureId: t.exposeID('featureId', { description: 'Id of the feature.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the feature can be used.' }),
    includedAmount: t.expose('includedAmount', {
      type: 'SafeInt',
      description: 'Units without extra charge; 0 where the feature does not count.',
    }),
    unlimited: t.exposeBoolean('unlimited', { description: 'True makes included amount and overage irrelevant.' }),
    overage: t.field({ type: PlanFeatureOverage, description: 'What further units cost.', resolve: (row) => row }),
    creditsPerUnit: t.expose('creditsPerUnit', {
      type: 'SafeInt',
      nullable: true,
      description: 'Credits one unit takes; null for all but usage features of credits plans.',
    }),
    pricingMode: t.expose('pricingMode', { type: PricingMode, description: 'Changed only by detaching and attaching again.' }),
    margin: t.expose('marginBps', {
      type: 'SafeInt',
      nullable: true,
      description: 'Basis points on top of the catalogue price; null unless priced by AI model.',
    }),
    feature: t.field({
      type: Feature,
      description: 'The feature.',
      resolve: (row, _args, context) => loadExistingRow(context, 'Feature', row.featureId),
    }),
    object: t.string({ description: 'Always `plan_feature`.', resolve: () => 'plan_feature' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_row, _args, context) => context.livemode }),
  }),
});

restView(
  'PlanFeature',
  'PlanFeature',
  'planId featureId enabled includedAmount unlimited overage { enabled unitPrice } creditsPerUnit pricingMode margin object livemode',
);

const OfferedOverage = builder.objectRef<PlanFeatureRow>('OfferedOverage').implement({
  description: 'What units beyond the included ones cost.',
  fields: (t) => ({
    enabled: t.exposeBoolean('overageEnabled', { description: 'Whether more than the included amount can be used.' }),
    model: t.string({ nullable: true, description: 'Always `per_unit`: there are no tiers. Never null.', resolve: () => 'per_unit' }),
    unitPrice: t.expose('unitPriceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Per unit; 10 000 is 1.00 USD. Null when none was given.',
    }),
  }),
});

export const OfferedFeature = builder.objectRef<OfferedFeature>('OfferedFeature').implement({
  description: 'A feature as a plan offers it, in short.',
  fields: (t) => ({
    code: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    name: t.string({ description: 'Name of the feature.', resolve: ({ feature }) => feature.name }),
    type: t.field({ type: FeatureType, description: 'Kind of the feature.', resolve: ({ feature }) => feature.type }),
    unitName: t.string({
      nullable: true,
      description: 'What one unit is called; null when not given.',
      resolve: ({ feature }) => feature.unitName,
    }),
    enabled: t.boolean({ description: 'Whether the feature can be used.', resolve: ({ row }) => row.enabled }),
    includedAmount: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Units without extra charge; null for boolean features.',
      resolve: ({ row, feature }) => (feature.type === 'boolean' ? null : row.includedAmount),
    }),
    unlimited: t.boolean({ description: 'True makes included amount and overage irrelevant.', resolve: ({ row }) => row.unlimited }),
    overage: t.field({
      type: OfferedOverage,
      nullable: true,
      description: 'What further units cost; null for boolean features.',
      resolve: ({ row, feature }) => (feature.type === 'boolean' ? null : row),
    }),
    regionalPrices: t.field({
      type: [FeatureRegionalPrice],
      description: 'Unit prices in other currencies than USD, by currency.',
      resolve: ({ row }, _args, context) => loadFeatureRates(context, row.planId, row.featureId),
    }),
  }),
});
