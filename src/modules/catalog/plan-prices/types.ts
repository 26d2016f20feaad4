import { minimumChargeUsdMinor } from '../../../domain/payments/provider.ts';
import type { Rollover as RolloverValue } from '../../../domain/pricing/pools.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { loadMarketPrices, loadRegionalPrices } from '../regional-pricing/load-current.ts';
import { MarketPrice, RegionalPrice } from '../regional-pricing/types.ts';
import { PoolOnEmpty } from './enums.ts';
import { loadArchivedPrices, loadOfBase, loadPools, type PlanPool as PlanPoolValue } from './store.ts';

const PriceWarning = builder.enumType('PlanPriceWarning', {
  description: 'Reason why a price might not be charged as expected.',
  values: {
    below_minimum: {
      description:
        'The price is below the minimum charge of 0.50 USD. Smaller invoice amounts are carried over to the next invoice.',
    },
  } as const,
});

export const PlanPrice = builder.prismaObject('PlanPrice', {
  ...node({ prefix: 'pp' }),
  description:
    'Price of a plan for one billing interval: a base price, or a variant that overrides a base price in specific markets.',
  fields: (t) => ({
    ...t.columns('id', 'planId', 'billingInterval'),
    price: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Current amount per billing interval, in US cents. A variant inherits the amount of its base price.',
      columns: ['inheritsFromPriceId', 'priceMinor'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'priceMinor'),
    }),
    warnings: t.computed({
      type: [PriceWarning],
      description: 'Warnings about the price. Empty if the price has no warnings.',
      columns: ['inheritsFromPriceId', 'priceMinor'],
      resolve: async (price, _args, ctx) => {
        const amount = await loadOfBase(ctx, price, 'priceMinor');
        return amount > 0n && amount < minimumChargeUsdMinor ? ['below_minimum' as const] : [];
      },
    }),
    ...t.columns('isDefault'),
    trialDays: t.computed({
      type: 'Int',
      description:
        'Length of the free trial in days. 0 if the price has no trial. A variant inherits the trial of its base price.',
      columns: ['inheritsFromPriceId', 'trialDays'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'trialDays'),
    }),
    includedBalance: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Balance granted per usage window, in ten-thousandths of a US dollar (10,000 = 1.00 USD). A usage window is 7 days for weekly prices and one month for other prices. `null` if the price includes no balance.',
      columns: ['inheritsFromPriceId', 'includedBalanceRate'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'includedBalanceRate'),
    }),
    includedCredits: t.computed({
      type: 'SafeInt',
      nullable: true,
      description:
        'Credits granted per usage window. A usage window is 7 days for weekly prices and one month for other prices. `null` if the price includes no credits.',
      columns: ['inheritsFromPriceId', 'includedCredits'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'includedCredits'),
    }),
    minimumSpend: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        'Minimum spend per billing period in US cents. If the charges of a period are lower, the invoice at the end of the period adds the difference. `null` if the price has no minimum.',
      columns: ['inheritsFromPriceId', 'minimumMinor'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'minimumMinor'),
    }),
    offerId: t.computed({
      type: 'ID',
      nullable: true,
      description:
        'ID of the introductory offer that new subscribers get automatically. `null` if the price has no introductory offer. A variant inherits the offer of its base price.',
      columns: ['inheritsFromPriceId', 'introductoryOfferId'],
      resolve: (price, _args, ctx) => loadOfBase(ctx, price, 'introductoryOfferId'),
    }),
    ...t.columns('inheritsFromPriceId', 'metadata'),
    marketPrices: t.computed({
      type: [MarketPrice],
      description:
        'Amounts per market, oldest first. In markets without an amount, a variant uses the amount of its base price.',
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => loadMarketPrices(ctx, id),
    }),
    regionalPrices: t.computed({
      type: [RegionalPrice],
      description:
        'Amounts in currencies other than USD, sorted by currency. A variant inherits the amounts of its base price.',
      columns: ['id', 'inheritsFromPriceId'],
      resolve: (price, _args, ctx) => loadRegionalPrices(ctx, price.inheritsFromPriceId ?? price.id),
    }),
    ...t.columns('createdAt', 'updatedAt', 'archivedAt'),
    ...t.resource('plan_price'),
  }),
});

restView(
  'PlanPrice',
  'PlanPrice',
  `id planId billingInterval price isDefault trialDays includedBalance includedCredits minimumSpend offerId inheritsFromPriceId metadata
   marketPrices { marketGroupId currency price } createdAt updatedAt object livemode`,
  { absentWhenUnset: ['minimumSpend'] },
);

builder.prismaObjectField('PlanPrice', 'plan', (t) =>
  t.row('plan', { description: 'Plan that the price belongs to.' }),
);

builder.prismaObjectFields('Plan', (t) => ({
  prices: t.rows('prices', {
    orderBy: 'seq',
    where: { archivedAt: null },
    description: 'Prices that can be selected, oldest first.',
  }),
  archivedPrices: t.computed({
    type: [PlanPrice],
    description: 'Archived prices, oldest first. Existing subscriptions can still use archived prices.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadArchivedPrices(ctx, id),
  }),
}));

const Rollover = builder.objectRef<RolloverValue>('Rollover').implement({
  description: 'Rollover of unused amounts of a pool to later usage windows.',
  fields: (t) => ({
    windows: t
      .maybe('windows', 'Int')
      .describe(
        'Number of later usage windows in which an unused amount can be used. `null` if it never expires.',
      ),
    cap: t
      .maybe('cap', 'SafeInt')
      .describe(
        'Maximum sum of the amounts that were rolled over, in the smallest amount of the unit or in ten-thousandths of a US dollar (10,000 = 1.00). `null` if there is no maximum.',
      ),
  }),
});

export const PlanPool = builder.objectRef<PlanPoolValue>('PlanPool').implement({
  description: 'Pool of a custom unit or of money that a plan includes.',
  fields: (t) => ({
    asset: t
      .member('asset', 'String')
      .describe('Code of a custom unit such as `credits`, or `usd` for a balance.'),
    includedPerWindow: t
      .maybe('includedPerWindow', 'SafeInt')
      .describe(
        'Amount that the default price includes per usage window, in the smallest amount of the unit or in ten-thousandths of a US dollar (10,000 = 1.00). `null` if the plan has no default price.',
      ),
    onEmpty: t.member('onEmpty', PoolOnEmpty).describe('Effect of usage that exceeds the pool.'),
    overdraftRate: t
      .maybe('overdraftRate', 'Decimal')
      .describe(
        "Price of one unit below zero, in US dollars. Billed at the end of the usage window. `null` if the pool contains money or the unit can't be overdrawn.",
      ),
    rollover: t
      .maybe('rollover', Rollover)
      .describe(
        'Rollover of unused amounts to later usage windows. `null` if unused amounts expire at the end of the usage window.',
      ),
  }),
});

builder.prismaObjectField('Plan', 'pools', (t) =>
  t.computed({
    type: [PlanPool],
    description:
      'Pools of custom units and money from which usage is deducted. Empty if all usage is invoiced.',
    columns: ['id', 'consumptionModel', 'blockOnExhaustion', 'pools'],
    resolve: (plan, _args, ctx) => loadPools(ctx, plan),
  }),
);

restView('PlanPool', 'PlanPool', 'asset includedPerWindow onEmpty overdraftRate rollover { windows cap }', {
  absentWhenUnset: ['overdraftRate', 'rollover'],
});
