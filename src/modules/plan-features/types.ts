import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { restView } from '../../graphql/rest.ts';
import { FeatureType } from '../features/types.ts';
import { PricingMode } from '../plans/enums.ts';
import type { PlanFeatureRow } from '../plans/store.ts';
import { loadFeatureRates } from '../regional-pricing/load-current.ts';
import { FeatureRegionalPrice } from '../regional-pricing/types.ts';
import { loadOfferedFeatures, type OfferedFeature as Offered } from './load-offered.ts';

const PlanFeatureOverage = builder
  .objectRef<Pick<PlanFeatureRow, 'overageEnabled' | 'unitPriceRate'>>('PlanFeatureOverage')
  .implement({
    description: 'What units beyond the included ones cost.',
    fields: (t) => ({
      enabled: t.exposeBoolean('overageEnabled', {
        description: 'Whether more than the included amount can be used.',
      }),
      unitPrice: t.field({
        type: 'SafeInt',
        amount: 'RATE',
        description: 'Per unit; 10 000 is 1.00 USD. 0 when none was given.',
        resolve: (row) => row.unitPriceRate ?? 0n,
      }),
    }),
  });

export const PlanFeature = builder.prismaObject('PlanFeature', {
  ...node({ prefix: 'plf' }),
  description: 'The terms on which a plan offers a feature.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `plf_…`.' }),
    planId: t.exposeID('planId', { description: 'Id of the plan.' }),
    featureId: t.exposeID('featureId', { description: 'Id of the feature.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the feature can be used.' }),
    includedAmount: t.expose('includedAmount', {
      type: 'SafeInt',
      description: 'Units without extra charge; 0 where the feature does not count.',
    }),
    unlimited: t.exposeBoolean('unlimited', {
      description: 'True makes included amount and overage irrelevant.',
    }),
    overage: t.computed({
      type: PlanFeatureOverage,
      description: 'What further units cost.',
      columns: ['overageEnabled', 'unitPriceRate'],
      resolve: (row) => row,
    }),
    creditsPerUnit: t.expose('creditsPerUnit', {
      type: 'SafeInt',
      nullable: true,
      description: 'Credits one unit takes; null for all but usage features of credits plans.',
    }),
    pricingMode: t.expose('pricingMode', {
      type: PricingMode,
      description: 'Changed only by detaching and attaching again.',
    }),
    margin: t.expose('marginBps', {
      type: 'Int',
      nullable: true,
      description: 'Basis points on top of the catalog price; null unless priced by AI model.',
    }),
    feature: t.row('feature', { description: 'The feature.' }),
    object: t.string({ description: 'Always `plan_feature`.', resolve: () => 'plan_feature' }),
    livemode: t.livemode(),
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
    enabled: t.exposeBoolean('overageEnabled', {
      description: 'Whether more than the included amount can be used.',
    }),
    model: t.string({
      nullable: true,
      description: 'Always `per_unit`: there are no tiers. Never null.',
      resolve: () => 'per_unit',
    }),
    unitPrice: t.expose('unitPriceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Per unit; 10 000 is 1.00 USD. Null when none was given.',
    }),
  }),
});

export const OfferedFeature = builder.objectRef<Offered>('OfferedFeature').implement({
  description: 'A feature as a plan offers it, in short.',
  fields: (t) => ({
    code: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    name: t.string({ description: 'Name of the feature.', resolve: ({ feature }) => feature.name }),
    type: t.field({
      type: FeatureType,
      description: 'Kind of the feature.',
      resolve: ({ feature }) => feature.type,
    }),
    unitName: t.string({
      nullable: true,
      description: 'What one unit is called; null when not given.',
      resolve: ({ feature }) => feature.unitName,
    }),
    enabled: t.boolean({
      description: 'Whether the feature can be used.',
      resolve: ({ row }) => row.enabled,
    }),
    includedAmount: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Units without extra charge; null for boolean features.',
      resolve: ({ row, feature }) => (feature.type === 'boolean' ? null : row.includedAmount),
    }),
    unlimited: t.boolean({
      description: 'True makes included amount and overage irrelevant.',
      resolve: ({ row }) => row.unlimited,
    }),
    overage: t.field({
      type: OfferedOverage,
      nullable: true,
      description: 'What further units cost; null for boolean features.',
      resolve: ({ row, feature }) => (feature.type === 'boolean' ? null : row),
    }),
    regionalPrices: t.field({
      type: [FeatureRegionalPrice],
      description: 'Unit prices in other currencies than USD, by currency.',
      resolve: ({ row }, _args, ctx) => loadFeatureRates(ctx, row.planId, row.featureId),
    }),
  }),
});

builder.prismaObjectField('PlanFeature', 'plan', (t) => t.row('plan', { description: 'The plan.' }));

export const RemovedPlanFeature = builder.objectRef<{ readonly id: string }>('RemovedPlanFeature').implement({
  description: 'Acknowledges that a feature was withdrawn from a plan.',
  fields: (t) => ({
    featureId: t.exposeID('id', { description: 'Id of the feature.' }),
    removed: t.boolean({ description: 'Always true.', resolve: () => true }),
    object: t.string({ description: 'Always `plan_feature`.', resolve: () => 'plan_feature' }),
    livemode: t.livemode(),
  }),
});

restView('RemovedPlanFeature', 'RemovedPlanFeature', 'id: featureId removed object livemode');

builder.prismaObjectFields('Plan', (t) => ({
  features: t.computed({
    type: [OfferedFeature],
    description: 'Features in the order they were attached.',
    columns: ['id'],
    resolve: (plan, _args, ctx) => loadOfferedFeatures(ctx, plan.id),
  }),
  featureTerms: t.rows('features', {
    orderBy: 'seq',
    description: 'The same features with all their terms.',
  }),
}));

export const PlanFeatureOverageInput = builder.inputType('PlanFeatureOverageInput', {
  description: 'What units beyond the included ones cost; what is left out stays as it is.',
  fields: (t) => ({
    enabled: t.boolean({
      description: 'Whether more than the included amount can be used. A free plan cannot.',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      amount: 'RATE',
      description:
        'Per unit, from 0 on; 10 000 is 1.00 USD. On balance plans, what a unit takes from the balance.',
    }),
  }),
});

/** Changes of terms: to be made, or to be asked about. */
export const PlanFeatureUpdateInput = builder.inputType('PlanFeatureUpdateInput', {
  description: 'Changes to the terms of a feature in a plan; what is left out stays as it is.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    featureId: t.id({ required: true, description: 'Id of the feature.' }),
    enabled: t.boolean({ description: 'Whether the feature can be used.' }),
    includedAmount: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      description: 'Units without extra charge.',
    }),
    unlimited: t.boolean({ description: 'True makes included amount and overage irrelevant.' }),
    overage: t.field({ type: PlanFeatureOverageInput, description: 'What further units cost.' }),
    creditsPerUnit: t.field({
      type: 'SafeInt',
      rule: { exclusiveMinimum: 0, nullable: true },
      description:
        'Credits one unit takes, greater than 0; usage features of credits plans cannot be without.',
    }),
  }),
});
