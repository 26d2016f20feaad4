import { exchangeRateNumber } from '../../domain/pricing/regional.ts';
import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import { Currency } from '../currencies/enums.ts';
import type { RegionalPricing } from './set-amounts.ts';
import type { PlanCurrency } from './set-currency.ts';
import type { FeatureRateRow, PriceOverrideRow } from './store.ts';

const lowerCase = 'Lower-case ISO 4217.';

export const MarketPrice = builder.objectRef<PriceOverrideRow>('MarketPrice').implement({
  description: "A market's own amount for a price.",
  fields: (t) => ({
    marketGroupId: t.id({
      description: 'Id of the market.',
      // Only amounts of markets are shown as such.
      resolve: ({ marketId }) => marketId ?? '',
    }),
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    price: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units of the currency.',
    }),
  }),
});

export const RegionalPrice = builder.objectRef<PriceOverrideRow>('PlanPriceRegionalPrice').implement({
  description: "A price's amount in another currency than USD.",
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    price: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units of the currency.',
    }),
    includedBalance: t.expose('includedBalanceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Per consumption window; 10 000 is 1.00 of the currency. Null when the USD value counts.',
    }),
    autoSynced: t.exposeBoolean('autoSynced', {
      description: 'True when derived from the USD amount by the exchange rate.',
    }),
  }),
});

export const FeatureRegionalPrice = builder.objectRef<FeatureRateRow>('PlanFeatureRegionalPrice').implement({
  description: "A feature's unit price in another currency than USD.",
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    overageUnitPrice: t.expose('unitPriceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Per unit; 10 000 is 1.00 of the currency. Never null: clients of the interface allow for null.',
    }),
    autoSynced: t.exposeBoolean('autoSynced', {
      description: 'True when derived from the USD rate by the exchange rate.',
    }),
  }),
});

export const ExchangeRate = builder.prismaObject('PlanExchangeRate', {
  description: 'The rate amounts in a currency are derived with.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    exchangeRate: t.computed({
      type: 'Float',
      description: 'Units of the currency per 1 USD, greater than 0.',
      columns: ['rateE8'],
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
      description: 'Set manually or derived, by currency.',
      resolve: ({ overrides }) => [...overrides],
    }),
    object: t.string({
      description: 'Always `plan_regional_pricing`.',
      resolve: () => 'plan_regional_pricing',
    }),
    livemode: t.livemode(),
  }),
});

restView(
  'PlanRegionalPricing',
  'PlanRegionalPricing',
  'priceId overrides { currency price includedBalance } object livemode',
  {
    absentWhenNull: ['overrides.includedBalance'],
  },
);

export const RegionalPricesDeleted = builder.objectRef<object>('RegionalPricesDeleted').implement({
  description: 'Acknowledges that the amounts of a price in other currencies were removed.',
  fields: (t) => ({
    deleted: t.boolean({ description: 'Always true.', resolve: () => true }),
    object: t.string({
      description: 'Always `plan_regional_pricing`.',
      resolve: () => 'plan_regional_pricing',
    }),
    livemode: t.livemode(),
  }),
});

restView('DeletedPlanRegionalPricing', 'RegionalPricesDeleted', 'deleted object livemode');

export const PlanCurrencySetting = builder.objectRef<PlanCurrency>('PlanCurrencySetting').implement({
  description: 'A currency a plan is sold in.',
  fields: (t) => ({
    planId: t.exposeID('planId', { description: 'Id of the plan.' }),
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    exchangeRate: t.exposeFloat('exchangeRate', { description: 'Units of the currency for 1 USD.' }),
    pricesConfigured: t.expose('pricesConfigured', {
      type: 'Int',
      description:
        'How many prices that can be selected have an amount in the currency, set manually or derived; variants not counted.',
    }),
    featuresConfigured: t.expose('featuresConfigured', {
      type: 'Int',
      description:
        'How many features of the plan have a unit price in the currency, set manually or derived.',
    }),
    object: t.string({
      description: 'Always `plan_regional_pricing`.',
      resolve: () => 'plan_regional_pricing',
    }),
    livemode: t.livemode(),
  }),
});

restView(
  'PlanRegionalPricingResult',
  'PlanCurrencySetting',
  'planId currency exchangeRate pricesConfigured featuresConfigured object livemode',
);

builder.prismaObjectFields('Plan', (t) => ({
  exchangeRates: t.rows('exchangeRates', {
    orderBy: 'currency',
    where: { validTo: null },
    description: 'Rates amounts of the plan are derived with, by currency.',
  }),
}));
