import { exchangeRateNumber } from '../../../domain/pricing/regional.ts';
import { firstUnitPrice } from '../../../domain/rates/held.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import type { CurrencyRate } from './load-current.ts';
import type { RegionalPricing } from './set-amounts.ts';
import type { PlanCurrency, PriceOverrideRow } from './store.ts';

const lowerCase = 'Lowercase ISO 4217 code.';

export const MarketPrice = builder.objectRef<PriceOverrideRow>('MarketPrice').implement({
  description: 'Amount of a price in a market.',
  fields: (t) => ({
    marketGroupId: t.id({
      description: 'ID of the market that the amount applies to.',
      // Every row of a market price has a market ID.
      resolve: ({ marketId }) => marketId ?? '',
    }),
    currency: t.member('currency', Currency).describe(lowerCase),
    price: t.member('amountMinor', 'MINOR').describe('Amount in minor units of the currency.'),
  }),
});

export const RegionalPrice = builder.objectRef<PriceOverrideRow>('PlanPriceRegionalPrice').implement({
  description: 'Amount of a price in a currency other than USD.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe(lowerCase),
    price: t.member('amountMinor', 'MINOR').describe('Amount in minor units of the currency.'),
    includedBalance: t
      .maybe('includedBalanceRate', 'RATE')
      .describe(
        'Balance per usage window in ten-thousandths of the currency unit (10,000 = 1.00). `null` if the USD value applies.',
      ),
    autoSynced: t
      .member('autoSynced', 'Boolean')
      .describe('Whether the amount is derived from the USD amount by the exchange rate.'),
  }),
});

export const FeatureRegionalPrice = builder.objectRef<CurrencyRate>('PlanFeatureRegionalPrice').implement({
  description: 'Unit price of a feature in a currency other than USD.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe(lowerCase),
    overageUnitPrice: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Price of the first unit in ten-thousandths of the currency unit (10,000 = 1.00), rounded. Never `null`; the field is nullable for compatibility.',
      resolve: ({ rates }) => firstUnitPrice(rates),
    }),
    autoSynced: t
      .member('autoSynced', 'Boolean')
      .describe('Whether the unit price is derived from the USD unit price by the exchange rate.'),
  }),
});

builder.prismaObject('PlanExchangeRate', {
  description: 'Exchange rate from which the amounts of a plan in a currency are derived.',
  fields: (t) => ({
    currency: t.column('currency', { description: lowerCase }),
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
    priceId: t.member('priceId', 'ID').describe('ID of the price.'),
    overrides: t
      .member('overrides', [RegionalPrice])
      .describe('Amounts that were set manually or derived, sorted by currency.'),
    ...t.resource('plan_regional_pricing'),
  }),
});

restView(
  'PlanRegionalPricing',
  'PlanRegionalPricing',
  'priceId overrides { currency price includedBalance } object livemode',
  {
    absentWhenUnset: ['overrides.includedBalance'],
  },
);

export const RegionalPricesDeleted = builder.objectRef<object>('RegionalPricesDeleted').implement({
  description: 'Confirmation that the amounts of a price in currencies other than USD were removed.',
  fields: (t) => ({
    deleted: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    ...t.resource('plan_regional_pricing'),
  }),
});

restView('DeletedPlanRegionalPricing', 'RegionalPricesDeleted', 'deleted object livemode');

export const PlanCurrencySetting = builder.objectRef<PlanCurrency>('PlanCurrencySetting').implement({
  description: 'A currency that a plan is sold in.',
  fields: (t) => ({
    planId: t.member('planId', 'ID').describe('ID of the plan.'),
    currency: t.member('currency', Currency).describe(lowerCase),
    exchangeRate: t.member('exchangeRate', 'Float').describe('Units of the currency per 1 USD.'),
    pricesConfigured: t
      .member('pricesConfigured', 'Int')
      .describe(
        "Number of selectable base prices that have an amount in the currency, set manually or derived. Variants aren't counted.",
      ),
    featuresConfigured: t
      .member('featuresConfigured', 'Int')
      .describe(
        'Number of features of the plan that have a unit price in the currency, set manually or derived.',
      ),
    ...t.resource('plan_regional_pricing'),
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
