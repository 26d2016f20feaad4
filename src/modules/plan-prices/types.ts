import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { restView } from '../../graphql/rest.ts';
import { BillingInterval } from '../plans/enums.ts';
import { loadMarketPrices, loadRegionalPrices } from '../regional-pricing/load-current.ts';
import { MarketPrice, RegionalPrice } from '../regional-pricing/types.ts';
import { loadArchivedPrices, loadOfBase } from './store.ts';

export const PlanPrice = builder.prismaObject('PlanPrice', {
  ...node({ prefix: 'pp' }),
  description:
    'What a plan costs at one billing interval: a base price, or a variant that overrides it in some markets.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pp_…`.' }),
    planId: t.exposeID('planId', { description: 'Id of the plan.' }),
    billingInterval: t.expose('billingInterval', { type: BillingInterval, description: 'Never changed.' }),
    price: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'US cents per interval; its latest value. A variant has that of its base.',
      columns: ['inheritsFromPriceId', 'priceMinor'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'priceMinor'),
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'True for the one price used when a subscription names no interval.',
    }),
    trialDays: t.computed({
      type: 'Int',
      description: 'Days of trial before the first charge; 0 for none.',
      columns: ['inheritsFromPriceId', 'trialDays'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'trialDays'),
    }),
    includedBalance: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Balance granted per consumption window (a month; seven days for weekly prices); 10 000 is 1.00 USD. Null for none.',
      columns: ['inheritsFromPriceId', 'includedBalanceRate'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'includedBalanceRate'),
    }),
    includedCredits: t.computed({
      type: 'SafeInt',
      nullable: true,
      description:
        'Credits granted per consumption window (a month; seven days for weekly prices). Null for none.',
      columns: ['inheritsFromPriceId', 'includedCredits'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'includedCredits'),
    }),
    offerId: t.computed({
      type: 'ID',
      nullable: true,
      description:
        'Id of the introductory offer new subscribers get automatically; null without one. A variant has that of its base.',
      columns: ['inheritsFromPriceId', 'introductoryOfferId'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'introductoryOfferId'),
    }),
    inheritsFromPriceId: t.exposeID('inheritsFromPriceId', {
      nullable: true,
      description: 'The base price a variant extends; null for a base price.',
    }),
    metadata: t.expose('metadata', {
      type: 'Json',
      description: 'Free-form; an empty object when none was given.',
    }),
    marketPrices: t.computed({
      type: [MarketPrice],
      description:
        'Amounts of markets, in the order they were set. A variant shows its own; where it has none, those of its base count.',
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => loadMarketPrices(ctx, id),
    }),
    regionalPrices: t.computed({
      type: [RegionalPrice],
      description: 'Amounts in other currencies than USD, by currency. A variant has those of its base.',
      columns: ['id', 'inheritsFromPriceId'],
      resolve: (price, _args, ctx) => loadRegionalPrices(ctx, price.inheritsFromPriceId ?? price.id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it cannot be selected; null while it can.',
    }),
    object: t.string({ description: 'Always `plan_price`.', resolve: () => 'plan_price' }),
    livemode: t.livemode(),
  }),
});

restView(
  'PlanPrice',
  'PlanPrice',
  `id planId billingInterval price isDefault trialDays includedBalance includedCredits offerId inheritsFromPriceId metadata
   marketPrices { marketGroupId currency price } createdAt updatedAt object livemode`,
);

builder.prismaObjectField('PlanPrice', 'plan', (t) => t.row('plan', { description: 'The plan.' }));

builder.prismaObjectFields('Plan', (t) => ({
  prices: t.rows('prices', {
    orderBy: 'seq',
    where: { archivedAt: null },
    description: 'Prices that can be selected, in the order they were added.',
  }),
  archivedPrices: t.computed({
    type: [PlanPrice],
    description:
      'Prices that can no longer be selected, in the order they were added. Subscriptions bound to them keep them.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadArchivedPrices(ctx, id),
  }),
}));
