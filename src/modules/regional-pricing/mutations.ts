import { builder } from '../../graphql/builder.ts';
import { Currency } from '../currencies/enums.ts';
import { deleteRegionalPrices, upsertRegionalPrices } from './set-amounts.ts';
import { setPlanCurrency } from './set-currency.ts';
import { PlanCurrencySetting, PlanRegionalPricing, RegionalPricesDeleted } from './types.ts';

const planId = 'Id of the plan, else its code.';
const priceId = 'Id of the price; variants take the amounts of their base.';
const amount = { minimum: 0 } as const;
const balance =
  'Per consumption window, from 0 on; 10 000 is 1.00 of the currency. Left out, the USD value counts, converted where a rate exists.';

const RegionalPriceInput = builder.inputType('RegionalPriceInput', {
  description: "A price's amount in another currency than USD.",
  fields: (t) => ({
    currency: t.field({ type: Currency, required: true, description: 'Any but `usd`, each once.' }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: amount,
      amount: 'MINOR',
      description: 'Minor units of the currency, from 0 on.',
    }),
    includedBalance: t.field({ type: 'SafeInt', rule: amount, amount: 'RATE', description: balance }),
  }),
});

const PlanPriceRegionalUpsertInput = builder.inputType('PlanPriceRegionalUpsertInput', {
  description: 'Amounts of a price in other currencies, set manually.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    priceId: t.id({ required: true, description: priceId }),
    overrides: t.field({
      type: [RegionalPriceInput],
      required: true,
      description: 'Currencies that are not named keep their amounts.',
    }),
  }),
});

builder.mutationField('planPriceRegionalUpsert', (t) =>
  t.field({
    type: PlanRegionalPricing,
    description:
      'Sets amounts of a price in the named currencies manually; they no longer follow the exchange rate.',
    rest: {
      method: 'PUT',
      path: '/plans/{id}/prices/{priceId}/regional',
      names: { planId: 'id' },
      view: 'PlanRegionalPricing',
      errors: ['plan_not_found', 'price_not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanPriceRegionalUpsertInput, required: true, description: 'The amounts.' }),
    },
    resolve: (_root, { input }, ctx) => upsertRegionalPrices(ctx, input),
  }),
);

const PlanPriceRegionalDeleteInput = builder.inputType('PlanPriceRegionalDeleteInput', {
  description: 'Which price of which plan to sell in USD and in markets only.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    priceId: t.id({ required: true, description: priceId }),
  }),
});

builder.mutationField('planPriceRegionalDelete', (t) =>
  t.field({
    type: RegionalPricesDeleted,
    description:
      'Removes all amounts of a price in other currencies. `price_in_use` while a trialing, active or past-due subscription is billed by one.',
    rest: {
      method: 'DELETE',
      path: '/plans/{id}/prices/{priceId}/regional',
      names: { planId: 'id' },
      view: 'DeletedPlanRegionalPricing',
      errors: ['plan_not_found', 'price_not_found', 'price_in_use'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceRegionalDeleteInput, required: true, description: 'The price.' }) },
    resolve: (_root, { input }, ctx) => deleteRegionalPrices(ctx, input),
  }),
);

const PlanCurrencyPriceInput = builder.inputType('PlanCurrencyPriceInput', {
  description: 'A price whose amount in the currency is set manually.',
  fields: (t) => ({
    priceId: t.id({ required: true, description: `${priceId} Each once.` }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: amount,
      amount: 'MINOR',
      description: 'Minor units of the currency, from 0 on.',
    }),
    includedBalance: t.field({ type: 'SafeInt', rule: amount, amount: 'RATE', description: balance }),
  }),
});

const PlanCurrencyFeatureInput = builder.inputType('PlanCurrencyFeatureInput', {
  description: 'A feature whose unit price in the currency is set manually.',
  fields: (t) => ({
    featureId: t.id({
      required: true,
      description: 'Id of a feature of the plan that can have a unit price, each once.',
    }),
    overageUnitPrice: t.field({
      type: 'SafeInt',
      required: true,
      rule: amount,
      amount: 'RATE',
      description: 'Per unit, from 0 on; 10 000 is 1.00 of the currency.',
    }),
  }),
});

const PlanCurrencySetInput = builder.inputType('PlanCurrencySetInput', {
  description: 'A currency of a plan: its exchange rate, and the amounts that are not derived by it.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    currency: t.field({ type: Currency, required: true, description: 'Any but `usd`.' }),
    exchangeRate: t.float({
      required: true,
      rule: { exclusiveMinimum: 0, maximum: 1_000_000_000 },
      description:
        'Units of the currency for 1 USD, above 0, with up to 8 decimals. Taken digit by digit as written.',
    }),
    prices: t.field({ type: [PlanCurrencyPriceInput], description: 'Prices set manually.' }),
    features: t.field({ type: [PlanCurrencyFeatureInput], description: 'Features set manually.' }),
  }),
});

builder.mutationField('planCurrencySet', (t) =>
  t.field({
    type: PlanCurrencySetting,
    description:
      'Sells a plan in a currency by an exchange rate. What is not set manually, now or before, is derived by the rate and follows it and the USD value.',
    rest: {
      method: 'PUT',
      path: '/plans/{id}/regional',
      names: { planId: 'id' },
      view: 'PlanRegionalPricingResult',
      errors: ['plan_not_found', 'price_not_found', 'feature_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanCurrencySetInput, required: true, description: 'The currency.' }) },
    resolve: (_root, { input }, ctx) => setPlanCurrency(ctx, input),
  }),
);
