import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { restView } from '../../graphql/rest.ts';
import type { PlanPriceRow } from './service.ts';
import { BillingInterval } from './words.ts';

/** The price a variant inherits from; a base price itself. Batched. */
const loadBasePrice = async (context: Context, price: PlanPriceRow): Promise<PlanPriceRow> =>
  price.inheritsFromPriceId === null ? price : loadExistingRow(context, 'PlanPrice', price.inheritsFromPriceId);

type MarketPriceShape = { readonly marketGroupId: string; readonly currency: string; readonly price: number };

const MarketPrice = builder.objectRef<MarketPriceShape>('MarketPrice').implement({
  description: "A market's own amount for a price.",
  fields: (t) => ({
    marketGroupId: t.exposeID('marketGroupId', { description: 'Id of the market.' }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217.' }),
    price: t.expose('price', { type: 'SafeInt', amount: 'MINOR', description: 'Minor units of the currency.' }),
  }),
});

type RegionalPriceShape = {
  readonly currency: string;
  readonly price: number;
  readonly includedBalance: number | null;
  readonly autoSynced: boolean;
};

const RegionalPrice = builder.objectRef<RegionalPriceShape>('PlanPriceRegionalPrice').implement({
  description: "A price's amount in another currency than USD.",
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217.' }),
    price: t.expose('price', { type: 'SafeInt', amount: 'MINOR', description: 'Minor units of the currency.' }),
    includedBalance: t.expose('includedBalance', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Per consumption window; 10 000 is 1.00 of the currency. Null when the USD value counts.',
    }),
    autoSynced: t.exposeBoolean('autoSynced', { description: 'True when derived from the USD amount by the exchange rate.' }),
  }),
});

export const PlanPrice = builder.prismaObject('PlanPrice', {
  description: 'What a plan costs at one billing interval: a base price, or a variant that overrides it in some markets.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pp_…`.' }),
    planId: t.exposeID('planId', { description: 'Id of the plan.' }),
    billingInterval: t.expose('billingInterval', { type: BillingInterval, description: 'Never changed.' }),
    price: t.expose('priceMinor', { type: 'SafeInt', amount: 'MINOR', description: 'US cents per interval; its latest value.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'True for the one price used when a subscription names no interval.' }),
    trialDays: t.expose('trialDays', { type: 'SafeInt', description: 'Days of trial before the first charge; 0 for none.' }),
    includedBalance: t.expose('includedBalanceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Balance granted per consumption window (a month; seven days for weekly prices); 10 000 is 1.00 USD. Null for none.',
    }),
    includedCredits: t.expose('includedCredits', {
      type: 'SafeInt',
      nullable: true,
      description: 'Credits granted per consumption window (a month; seven days for weekly prices). Null for none.',
    }),
    offerId: t.id({
      nullable: true,
      description: 'Id of the introductory offer new subscribers get by themselves; null without one. A variant has that of its base.',
      resolve: async (price, _args, context) => (await loadBasePrice(context, price)).introductoryOfferId,
    }),
    inheritsFromPriceId: t.exposeID('inheritsFromPriceId', {
      nullable: true,
      description: 'The base price a variant extends; null for a base price.',
    }),
    metadata: t.expose('metadata', { type: 'Json', description: 'Free-form; an empty object when none was given.' }),
    marketPrices: t.field({ type: [MarketPrice], description: 'Amounts of markets; other countries pay `price`.', resolve: () => [] }),
    regionalPrices: t.field({ type: [RegionalPrice], description: 'Amounts in other currencies than USD.', resolve: () => [] }),
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
