import { exchangeRateNumber } from '../../../domain/pricing/regional.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import type { RegionalPricing } from './set-amounts.ts';
import type { PlanCurrency } from './set-currency.ts';
import type { FeatureRateRow, PriceOverrideRow } from './store.ts';

const lowerCase = 'Lowercase ISO 4217 code.';

export const MarketPrice = builder.objectRef<PriceOverrideRow>('MarketPrice').implement({
  description: 'Amount of a price in a market.',
  fields: (t) => ({
    marketGroupId: t.id({
      description: 'ID of the market.',
      // All rows of this type have a market.
      resolve: ({ marketId }) => marketId ?? '',
    }),
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    price: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount in minor units of the currency.',
    }),
  }),
});

export const RegionalPrice = builder.objectRef<PriceOverrideRow>('PlanPriceRegionalPrice').implement({
  description: 'Amount of a price in a currency other than USD.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    price: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount in minor units of the currency.',
    }),
    includedBalance: t.expose('includedBalanceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Balance per usage window in ten-thousandths of the currency unit (10,000 = 1.00). `null` if the USD value applies.',
    }),
    autoSynced: t.exposeBoolean('autoSynced', {
      description: 'Whether the amount is derived from the USD amount by the exchange rate.',
    }),
  }),
});

export const FeatureRegionalPrice = builder.objectRef<FeatureRateRow>('PlanFeatureRegionalPrice').implement({
  description: 'Unit price of a feature in a currency other than USD.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    overageUnitPrice: t.expose('unitPriceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Price per unit in ten-thousandths of the currency unit (10,000 = 1.00). Never `null`; the field is nullable for compatibility.',
    }),
    autoSynced: t.exposeBoolean('autoSynced', {
      description: 'Whether the unit price is derived from the USD unit price by the exchange rate.',
    }),
  }),
});

export const ExchangeRate = builder.prismaObject('PlanExchangeRate', {
  description: 'Exchange rate from which the amounts of a plan in a currency are derived.',
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
  description: 'Amounts of a price in currencies other than USD.',
  fields: (t) => ({
    priceId: t.exposeID('priceId', { description: 'ID of the price.' }),
    overrides: t.field({
      type: [RegionalPrice],
      description: 'Amounts that were set manually or derived, sorted by currency.',
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
  description: 'Confirmation that the amounts of a price in currencies other than USD were removed.',
  fields: (t) => ({
    deleted: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    object: t.string({
      description: 'Always `plan_regional_pricing`.',
      resolve: () => 'plan_regional_pricing',
    }),
    livemode: t.livemode(),
  }),
});

restView('DeletedPlanRegionalPricing', 'RegionalPricesDeleted', 'deleted object livemode');

export const PlanCurrencySetting = builder.objectRef<PlanCurrency>('PlanCurrencySetting').implement({
  description: 'A currency that a plan is sold in.',
  fields: (t) => ({
    planId: t.exposeID('planId', { description: 'ID of the plan.' }),
    currency: t.expose('currency', { type: Currency, description: lowerCase }),
    exchangeRate: t.exposeFloat('exchangeRate', { description: 'Units of the currency per 1 USD.' }),
    pricesConfigured: t.expose('pricesConfigured', {
      type: 'Int',
      description:
        "Number of selectable base prices that have an amount in the currency, set manually or derived. Variants aren't counted.",
    }),
    featuresConfigured: t.expose('featuresConfigured', {
      type: 'Int',
      description:
        'Number of features of the plan that have a unit price in the currency, set manually or derived.',
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
    description: 'Exchange rates from which the amounts of the plan are derived, sorted by currency.',
  }),
}));
