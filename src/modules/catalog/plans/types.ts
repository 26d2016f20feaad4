import { shownModel } from '../../../domain/pricing/pools.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { rateFields } from '../rates/types.ts';
import { ConsumptionModel } from './enums.ts';

export const Plan = builder.prismaObject('Plan', {
  ...node({ prefix: 'pln' }),
  description:
    'Product that customers subscribe to: a set of features with one consumption model and a price per billing interval.',
  fields: (t) => ({
    ...t.columns('id', 'name', 'code', 'description'),
    consumptionModel: t.computed({
      type: ConsumptionModel,
      nullable: true,
      description:
        'Model that the plan uses to bill usage. If the plan has pools, the model of its first pool. Never `null`; the field is nullable for compatibility.',
      columns: ['consumptionModel', 'pools'],
      resolve: (plan) => shownModel(plan),
    }),
    ...t.columns('isPublic', 'isDefault', 'isFree'),
    blockOnExhaustion: t.column('blockOnExhaustion', { nullable: true }),
    ...t.columns('sortOrder', 'planGroupId', 'metadata'),
    ...t.columns('createdAt', 'updatedAt'),
    ...t.resource('plan'),
  }),
});

export const PlanConnection = connectionOf('Plan', Plan, 'plans');

restView(
  'Plan',
  'Plan',
  `id name code description consumptionModel isPublic isDefault isFree blockOnExhaustion sortOrder planGroupId metadata createdAt updatedAt
   features { code name type unitName enabled includedAmount unlimited overage { enabled model unitPrice rate(unlessPlain: true) { ${rateFields} } } regionalPrices { currency overageUnitPrice autoSynced } }
   prices { id billingInterval price isDefault trialDays includedBalance includedCredits offerId inheritsFromPriceId metadata
     marketPrices { marketGroupId currency price } regionalPrices { currency price includedBalance autoSynced } }
   exchangeRates { currency exchangeRate } object livemode`,
  { absentWhenUnset: ['features.overage.rate'] },
);
