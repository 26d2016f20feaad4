import type { Context } from '../../context.ts';
import { exchangeRateNumber } from '../../domain/pricing/regional.ts';
import { builder } from '../../graphql/builder.ts';
import { loadRowsBy } from '../../graphql/loaders.ts';
import { restView } from '../../graphql/rest.ts';
import type { ExchangeRateRow, FeatureRateRow, PriceOverrideRow } from './overrides.ts';
import { type RegionalPricing, regionalOf } from './regional.ts';
import type { PlanCurrency } from './set-currency.ts';

const current = { validTo: null } as const;

/** The amounts in force of a price, those of markets and those of currencies, in the order they were given. Batched. */
const loadOverrides = (context: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  loadRowsBy(context, 'PlanPriceOverride', 'priceId', priceId, 'seq', current);

/** The amounts of markets in force of a price. Batched. */
export const loadMarketPrices = async (context: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  (await loadOverrides(context, priceId)).filter(({ marketId }) => marketId !== null);

/** The amounts in force of a price in other currencies, by currency. Batched. */
export const loadRegionalPrices = async (context: Context, priceId: string): Promise<PriceOverrideRow[]> =>
  regionalOf(await loadOverrides(context, priceId));

/** The unit prices in force of a plan's feature in other currencies, by currency. Batched. */
export const loadFeatureRates = async (context: Context, planId: string, featureId: string): Promise<FeatureRateRow[]> =>
  (await loadRowsBy(context, 'PlanFeatureRate', 'planId', planId, 'currency', current)).filter((row) => row.featureId === featureId);

/** The exchange rates in force of a plan, by currency. Batched. */
export const loadExchangeRates = (context: Context, planId: string): Promise<ExchangeRateRow[]> =>
  loadRowsBy(context, 'PlanExchangeRate', 'planId', planId, 'currency', current);

const lowerCase = 'Lower-case ISO 4217.';

export const MarketPrice = builder.objectRef<PriceOverrideRow>('MarketPrice').implement({
  description: "A market's own amount for a price.",
  fields: (t) => ({
    marketGroupId: t.id({
      description: 'Id of the market.',
      // Only amounts of markets are shown as such.
      resolve: ({ marketId }) => marketId ?? '',
    }),
    currency: t.exposeString('currency', { description: lowerCase }),
    price: t.expose('amountMinor', { type: 'SafeInt', amount: 'MINOR', description: 'Minor units of the currency.' }),
  }),
});

export const RegionalPrice = builder.objectRef<PriceOverrideRow>('PlanPriceRegionalPrice').implement({
  description: "A price's amount in another currency than USD.",
  fields: (t) => ({
    currency: t.exposeString('currency', { description: lowerCase }),
    price: t.expose('amountMinor', { type: 'SafeInt', amount: 'MINOR', description: 'Minor units of the currency.' }),
    includedBalance: t.expose('includedBalanceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Per consumption window; 10 000 is 1.00 of the currency. Null when the USD value counts.',
    }),
    autoSynced: t.exposeBoolean('autoSynced', { description: 'True when derived from the USD amount by the exchange rate.' }),
  }),
});

export const FeatureRegionalPrice = builder.objectRef<FeatureRateRow>('PlanFeatureRegionalPrice').implement({
  description: "A feature's unit price in another currency than USD.",
  fields: (t) => ({
    currency: t.exposeString('currency', { description: lowerCase }),
    overageUnitPrice: t.expose('unitPriceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Per unit; 10 000 is 1.00 of the currency. Never null: clients of the interface allow for null.',
    }),
    autoSynced: t.exposeBoolean('autoSynced', { description: 'True when derived from the USD rate by the exchange rate.' }),
  }),
});

export const ExchangeRate = builder.objectRef<ExchangeRateRow>('PlanExchangeRate').implement({
  description: 'The rate amounts in a currency are derived with.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: lowerCase }),
    exchangeRate: t.float({
      description: 'Units of the currency per 1 USD, greater than 0.',
      resolve: ({ rateE8 }) => exchangeRateNumber(rateE8),
    }),
  }),
});

export const PlanRegionalPricing = builder.objectRef<RegionalPricing>('PlanRegionalPricing').implement({
  description: 'The amounts of a price in other currencies than USD.',
  fields: (t) => ({
    priceId: t.exposeID('priceId', { description: 'Id of the price.' }),
    overrides: t.field({
      type: [RegionalPrice],
      description: 'Set by hand or derived, by currency.',
      resolve: ({ overrides }) => [...overrides],
    }),
    object: t.string({ description: 'Always `plan_regional_pricing`.', resolve: () => 'plan_regional_pricing' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_pricing, _args, context) => context.livemode }),
  }),
});

restView('PlanRegionalPricing', 'PlanRegionalPricing', 'priceId overrides { currency price includedBalance } object livemode', {
  absentWhenNull: ['overrides.includedBalance'],
});

export const RegionalPricesDeleted = builder.objectRef<object>('RegionalPricesDeleted').implement({
  description: 'Acknowledges that the amounts of a price in other currencies were removed.',
  fields: (t) => ({
    deleted: t.boolean({ description: 'Always true.', resolve: () => true }),
    object: t.string({ description: 'Always `plan_regional_pricing`.', resolve: () => 'plan_regional_pricing' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_deleted, _args, context) => context.livemode }),
  }),
});

restView('DeletedPlanRegionalPricing', 'RegionalPricesDeleted', 'deleted object livemode');

export const PlanCurrencySetting = builder.objectRef<PlanCurrency>('PlanCurrencySetting').implement({
  description: 'A currency a plan is sold in.',
  fields: (t) => ({
    planId: t.exposeID('planId', { description: 'Id of the plan.' }),
    currency: t.exposeString('currency', { description: lowerCase }),
    exchangeRate: t.exposeFloat('exchangeRate', { description: 'Units of the currency for 1 USD.' }),
    pricesConfigured: t.expose('pricesConfigured', {
      type: 'SafeInt',
      description: 'How many prices that can be selected have an amount in the currency, set by hand or derived; variants not counted.',
    }),
    featuresConfigured: t.expose('featuresConfigured', {
      type: 'SafeInt',
      description: 'How many features of the plan have a unit price in the currency, set by hand or derived.',
    }),
    object: t.string({ description: 'Always `plan_regional_pricing`.', resolve: () => 'plan_regional_pricing' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_setting, _args, context) => context.livemode }),
  }),
});

restView(
  'PlanRegionalPricingResult',
  'PlanCurrencySetting',
  'planId currency exchangeRate pricesConfigured featuresConfigured object livemode',
);
