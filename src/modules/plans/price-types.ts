import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { restView } from '../../graphql/rest.ts';
import { loadMarketPrices, loadRegionalPrices, MarketPrice, RegionalPrice } from './regional-types.ts';
import type { PlanPriceRow } from './service.ts';
import { BillingInterval } from './words.ts';

/** The row whose own amounts count for a price: the price itself, or the base of a variant (CAT-16). Batched. */
export const loadBase = async (context: Context, price: PlanPriceRow): Promise<PlanPriceRow> =>
  price.inheritsFromPriceId === null ? price : loadExistingRow(context, 'PlanPrice', price.inheritsFromPriceId);

export const PlanPrice = builder.prismaObject('PlanPrice', {
  description: 'What a plan costs at one billing interval: a base price, or a variant that overrides it in some markets.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pp_…`.' }),
    planId: t.exposeID('planId', { description: 'Id of the plan.' }),
    billingInterval: t.expose('billingInterval', { type: BillingInterval, description: 'Never changed.' }),
    price: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'US cents per interval; its latest value. A variant has that of its base.',
      resolve: async (price, _args, context) => (await loadBase(context, price)).priceMinor,
    }),
    isDefault: t.exposeBoolean('isDefault', { description: 'True for the one price used when a subscription names no interval.' }),
    trialDays: t.field({
      type: 'SafeInt',
      description: 'Days of trial before the first charge; 0 for none.',
      resolve: async (price, _args, context) => (await loadBase(context, price)).trialDays,
    }),
    includedBalance: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Balance granted per consumption window (a month; seven days for weekly prices); 10 000 is 1.00 USD. Null for none.',
      resolve: async (price, _args, context) => (await loadBase(context, price)).includedBalanceRate,
    }),
    includedCredits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Credits granted per consumption window (a month; seven days for weekly prices). Null for none.',
      resolve: async (price, _args, context) => (await loadBase(context, price)).includedCredits,
    }),
    offerId: t.id({
      nullable: true,
      description: 'Id of the introductory offer new subscribers get by themselves; null without one. A variant has that of its base.',
      resolve: async (price, _args, context) => (await loadBase(context, price)).introductoryOfferId,
    }),
    inheritsFromPriceId: t.exposeID('inheritsFromPriceId', {
      nullable: true,
      description: 'The base price a variant extends; null for a base price.',
    }),
    metadata: t.expose('metadata', { type: 'Json', description: 'Free-form; an empty object when none was given.' }),
    marketPrices: t.field({
      type: [MarketPrice],
      description: 'Amounts of markets, in the order they were set. A variant shows its own; where it has none, those of its base count.',
      resolve: (price, _args, context) => loadMarketPrices(context, price.id),
    }),
    regionalPrices: t.field({
      type: [RegionalPrice],
      description: 'Amounts in other currencies than USD, by currency. A variant has those of its base.',
      resolve: (price, _args, context) => loadRegionalPrices(context, price.inheritsFromPriceId ?? price.id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it cannot be selected; null while it can.',
    }),
    object: t.string({ description: 'Always `plan_price`.', resolve: () => 'plan_price' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_price, _args, context) => context.livemode }),
  }),
});

restView(
  'PlanPrice',
  'PlanPrice',
  `id planId billingInterval price isDefault trialDays includedBalance includedCredits offerId inheritsFromPriceId metadata
   marketPrices { marketGroupId currency price } createdAt updatedAt object livemode`,
);
