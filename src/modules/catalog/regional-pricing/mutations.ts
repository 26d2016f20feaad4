import { amountFromZero } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { deleteRegionalPrices, upsertRegionalPrices } from './set-amounts.ts';
import { PlanRegionalPricing, RegionalPricesDeleted } from './types.ts';

export const planIdText = 'Plan ID or plan code.';
export const priceIdText = 'ID of a base price. Variants use the amounts of their base price.';
export const notNegative = { minimum: 0 } as const;
export const balanceText =
  'Balance per usage window in ten-thousandths of the currency unit (10,000 = 1.00), 0 or more. Defaults to the USD value, converted if the plan has an exchange rate.';

const RegionalPriceInput = builder.inputType('RegionalPriceInput', {
  description: 'Amount of a price in a currency other than USD.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      required: true,
      description: "Currency of the amount. Can't be `usd`. Each currency can be set at most once.",
    }),
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

const PlanPriceRegionalUpsertInput = builder.inputType('PlanPriceRegionalUpsertInput', {
  description: 'Parameters for setting the amounts of a price in currencies other than USD.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planIdText }),
    priceId: t.id({ required: true, description: priceIdText }),
    overrides: t.field({
      type: [RegionalPriceInput],
      required: true,
      description: 'Amounts to set. Other currencies keep their amounts.',
    }),
  }),
});

builder.mutationField('planPriceRegionalUpsert', (t) =>
  t.field({
    type: PlanRegionalPricing,
    description:
      'Manually sets the amounts of a price in currencies other than USD. The amounts no longer follow the exchange rate.',
    rest: {
      method: 'PUT',
      path: '/plans/{id}/prices/{priceId}/regional',
      names: { planId: 'id' },
      view: 'PlanRegionalPricing',
    },
    errors: ['plan_not_found', 'price_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PlanPriceRegionalUpsertInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => upsertRegionalPrices(ctx, input),
  }),
);

const PlanPriceRegionalDeleteInput = builder.inputType('PlanPriceRegionalDeleteInput', {
  description: 'Parameters for removing the amounts of a price in currencies other than USD.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planIdText }),
    priceId: t.id({ required: true, description: priceIdText }),
  }),
});

builder.mutationField('planPriceRegionalDelete', (t) =>
  t.field({
    type: RegionalPricesDeleted,
    description:
      "Removes the amounts of a price in all currencies other than USD. The amount in USD and the amounts for markets don't change.",
    rest: {
      method: 'DELETE',
      path: '/plans/{id}/prices/{priceId}/regional',
      names: { planId: 'id' },
      view: 'DeletedPlanRegionalPricing',
    },
    errors: [
      'plan_not_found',
      'price_not_found',
      ['price_in_use', 'a trialing, active, or past-due subscription is billed in one of the currencies'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceRegionalDeleteInput, required: true }) },
    resolve: (_root, { input }, ctx) => deleteRegionalPrices(ctx, input),
  }),
);
