import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { loadOfferedFeatures, OfferedFeature, PlanFeature } from './feature-types.ts';
import { PlanPrice } from './price-types.ts';
import { ExchangeRate, loadExchangeRates } from './regional-types.ts';
import { ConsumptionModel } from './words.ts';

export const Plan = builder.prismaObject('Plan', {
  description: 'What is sold: a package of features with one consumption model, at a price per billing interval.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pln_…`.' }),
    name: t.exposeString('name', { description: 'Shown to customers.' }),
    code: t.exposeString('code', { description: 'Unique in the environment; usable instead of the id. Never changed.' }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    consumptionModel: t.expose('consumptionModel', {
      type: ConsumptionModel,
      nullable: true,
      description: 'Never changed, and never null: clients of the interface allow for null.',
    }),
    isPublic: t.exposeBoolean('isPublic', { description: 'False hides it from the pricing list and the portal.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Marks one plan; display data only.' }),
    isFree: t.exposeBoolean('isFree', { description: 'Never changed. A free plan has no prices and sells no overage.' }),
    blockOnExhaustion: t.exposeBoolean('blockOnExhaustion', {
      nullable: true,
      description: 'Whether usage is refused at zero. Never changed, and never null: clients of the interface allow for null.',
    }),
    sortOrder: t.expose('sortOrder', { type: 'SafeInt', description: 'Rank in the group; 0 outside one.' }),
    planGroupId: t.exposeID('planGroupId', { nullable: true, description: 'Null outside a group.' }),
    metadata: t.expose('metadata', { type: 'Json', description: 'Free-form; an empty object when none was given.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change of the plan itself.' }),
    features: t.field({
      type: [OfferedFeature],
      description: 'Features in the order they were attached.',
      resolve: (plan, _args, context) => loadOfferedFeatures(context, plan.id),
    }),
    featureTerms: t.field({
      type: [PlanFeature],
      description: 'The same features with all their terms.',
      resolve: (plan, _args, context) => loadRowsBy(context, 'PlanFeature', 'planId', plan.id, 'seq'),
    }),
    prices: t.field({
      type: [PlanPrice],
      description: 'Prices that can be selected, in the order they were added.',
      resolve: async (plan, _args, context) =>
        (await loadRowsBy(context, 'PlanPrice', 'planId', plan.id, 'seq')).filter((price) => price.archivedAt === null),
    }),
    exchangeRates: t.field({
      type: [ExchangeRate],
      description: 'Rates amounts of the plan are derived with, by currency.',
      resolve: (plan, _args, context) => loadExchangeRates(context, plan.id),
    }),
    object: t.string({ description: 'Always `plan`.', resolve: () => 'plan' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_plan, _args, context) => context.livemode }),
  }),
});

export const PlanConnection = connectionOf('Plan', Plan, 'plans');

builder.prismaObjectField('PlanPrice', 'plan', (t) =>
  t.field({ type: Plan, description: 'The plan.', resolve: (price, _args, context) => loadExistingRow(context, 'Plan', price.planId) }),
);

builder.prismaObjectField('PlanFeature', 'plan', (t) =>
  t.field({ type: Plan, description: 'The plan.', resolve: (row, _args, context) => loadExistingRow(context, 'Plan', row.planId) }),
);

restView(
  'Plan',
  'Plan',
  `id name code description consumptionModel isPublic isDefault isFree blockOnExhaustion sortOrder planGroupId metadata createdAt updatedAt
   features { code name type unitName enabled includedAmount unlimited overage { enabled model unitPrice } regionalPrices { currency overageUnitPrice autoSynced } }
   prices { id billingInterval price isDefault trialDays includedBalance includedCredits offerId inheritsFromPriceId metadata
     marketPrices { marketGroupId currency price } regionalPrices { currency price includedBalance autoSynced } }
   exchangeRates { currency exchangeRate } object livemode`,
);

export const RemovedPlanFeature = builder.objectRef<{ readonly id: string }>('RemovedPlanFeature').implement({
  description: 'Acknowledges that a feature was withdrawn from a plan.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the feature.' }),
    removed: t.boolean({ description: 'Always true.', resolve: () => true }),
    object: t.string({ description: 'Always `plan_feature`.', resolve: () => 'plan_feature' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_removed, _args, context) => context.livemode }),
  }),
});

restView('RemovedPlanFeature', 'RemovedPlanFeature', 'id removed object livemode');
