import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { ConsumptionModel } from './enums.ts';

export const Plan = builder.prismaObject('Plan', {
  ...node({ prefix: 'pln' }),
  description:
    'What is sold: a package of features with one consumption model, at a price per billing interval.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pln_…`.' }),
    name: t.exposeString('name', { description: 'Shown to customers.' }),
    code: t.exposeString('code', {
      description: 'Unique in the environment; usable instead of the id. Never changed.',
    }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    consumptionModel: t.expose('consumptionModel', {
      type: ConsumptionModel,
      nullable: true,
      description: 'Never changed, and never null: clients of the interface allow for null.',
    }),
    isPublic: t.exposeBoolean('isPublic', {
      description: 'False hides it from the pricing list and the portal.',
    }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Marks one plan; display data only.' }),
    isFree: t.exposeBoolean('isFree', {
      description: 'Never changed. A free plan has no prices and sells no overage.',
    }),
    blockOnExhaustion: t.exposeBoolean('blockOnExhaustion', {
      nullable: true,
      description:
        'Whether usage is rejected at zero. Never changed, and never null: clients of the interface allow for null.',
    }),
    sortOrder: t.expose('sortOrder', { type: 'Int', description: 'Rank in the group; 0 outside one.' }),
    planGroupId: t.exposeID('planGroupId', { nullable: true, description: 'Null outside a group.' }),
    metadata: t.expose('metadata', {
      type: 'Json',
      description: 'Free-form; an empty object when none was given.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Business time of the last change of the plan itself.',
    }),
    object: t.string({ description: 'Always `plan`.', resolve: () => 'plan' }),
    livemode: t.livemode(),
  }),
});

export const PlanConnection = connectionOf('Plan', Plan, 'plans');

restView(
  'Plan',
  'Plan',
  `id name code description consumptionModel isPublic isDefault isFree blockOnExhaustion sortOrder planGroupId metadata createdAt updatedAt
   features { code name type unitName enabled includedAmount unlimited overage { enabled model unitPrice } regionalPrices { currency overageUnitPrice autoSynced } }
   prices { id billingInterval price isDefault trialDays includedBalance includedCredits offerId inheritsFromPriceId metadata
     marketPrices { marketGroupId currency price } regionalPrices { currency price includedBalance autoSynced } }
   exchangeRates { currency exchangeRate } object livemode`,
);
