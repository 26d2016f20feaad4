import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { ConsumptionModel } from './enums.ts';

export const Plan = builder.prismaObject('Plan', {
  ...node({ prefix: 'pln' }),
  description:
    'Product that customers subscribe to: a set of features with one consumption model and a price per billing interval.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    code: t.exposeString('code'),
    description: t.exposeString('description', { nullable: true }),
    consumptionModel: t.expose('consumptionModel', {
      type: ConsumptionModel,
      nullable: true,
    }),
    isPublic: t.exposeBoolean('isPublic'),
    isDefault: t.exposeBoolean('isDefault'),
    isFree: t.exposeBoolean('isFree'),
    blockOnExhaustion: t.exposeBoolean('blockOnExhaustion', {
      nullable: true,
    }),
    sortOrder: t.expose('sortOrder', { type: 'Int' }),
    planGroupId: t.exposeID('planGroupId', { nullable: true }),
    metadata: t.expose('metadata', {
      type: 'Json',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
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
