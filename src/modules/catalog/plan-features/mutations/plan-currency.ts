import { amountFromZero } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { balanceText, notNegative, planIdText, priceIdText } from '../../regional-pricing/mutations.ts';
import { PlanCurrencySetting } from '../../regional-pricing/types.ts';
import { setPlanCurrency } from '../set-currency.ts';

const PlanCurrencyPriceInput = builder.inputType('PlanCurrencyPriceInput', {
  description: "Parameters for manually setting the amount of a plan's price in a currency.",
  fields: (t) => ({
    priceId: t.id({ required: true, description: `${priceIdText} Each price can appear only once.` }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: amountFromZero,
      amount: 'MINOR',
      description: 'Amount in minor units of the currency, 0 or more.',
    }),
    includedBalance: t.field({
      type: 'SafeInt',
      rule: notNegative,
      amount: 'RATE',
      description: balanceText,
    }),
  }),
});

const PlanCurrencyFeatureInput = builder.inputType('PlanCurrencyFeatureInput', {
  description: "Parameters for manually setting a feature's unit price in a currency.",
  fields: (t) => ({
    featureId: t.id({
      required: true,
      description: 'ID of a plan feature that can have a unit price. Each feature can appear only once.',
    }),
    overageUnitPrice: t.field({
      type: 'SafeInt',
      required: true,
      rule: notNegative,
      amount: 'RATE',
      description: 'Price per unit in ten-thousandths of the currency unit (10,000 = 1.00), 0 or more.',
    }),
  }),
});

const PlanCurrencySetInput = builder.inputType('PlanCurrencySetInput', {
  description:
    "Parameters for adding a currency to a plan or changing one: the exchange rate, and any amounts that aren't derived from the rate.",
  fields: (t) => ({
    planId: t.id({ required: true, description: planIdText }),
    currency: t.field({
      type: Currency,
      required: true,
      description: 'Currency to set. Any currency except `usd`.',
    }),
    exchangeRate: t.float({
      required: true,
      rule: { exclusiveMinimum: 0, maximum: 1_000_000_000 },
      description:
        'Units of the currency per 1 USD, greater than 0, with up to 8 decimals. Parsed exactly, without rounding.',
    }),
    prices: t.field({ type: [PlanCurrencyPriceInput], description: 'Price amounts to set manually.' }),
    features: t.field({
      type: [PlanCurrencyFeatureInput],
      description: 'Unit prices of features to set manually.',
    }),
  }),
});

builder.mutationField('planCurrencySet', (t) =>
  t.field({
    type: PlanCurrencySetting,
    description:
      "Sets the exchange rate of a plan for a currency, so that the plan can be sold in the currency. Amounts that aren't set manually are derived from the USD amounts and change with the USD amounts and the exchange rate.",
    rest: {
      method: 'PUT',
      path: '/plans/{id}/regional',
      names: { planId: 'id' },
      view: 'PlanRegionalPricingResult',
    },
    errors: [
      'plan_not_found',
      'price_not_found',
      ['feature_not_found', "the plan doesn't have one of the features"],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanCurrencySetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setPlanCurrency(ctx, input),
  }),
);
