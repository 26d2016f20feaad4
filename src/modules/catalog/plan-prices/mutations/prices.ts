import { amountFromZero } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { DeletedObject } from '../../../../graphql/reading/deleted.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { addPlanPrice } from '../add.ts';
import { archivePlanPrice } from '../archive.ts';
import { PlanPrice } from '../types.ts';
import { setDefaultPrice, updatePlanPrice } from '../update.ts';

const planId = 'Plan ID or plan code.';
const priceId = 'ID of the price.';
const optionalAmount = { minimum: 0, nullable: true } as const;
const minimum = { ...amountFromZero, minimum: 1, nullable: true } as const;
const trial = { minimum: 0, maximum: 3_650 } as const;

const MarketPriceInput = builder.inputType('MarketPriceInput', {
  description: 'Parameters for the amount of a price in one market.',
  fields: (t) => ({
    marketGroupId: t.id({
      required: true,
      rule: { minLength: 1 },
      description: 'ID of the market that the amount applies to.',
    }),
    currency: t.field({
      type: Currency,
      required: true,
      description: 'Currency that customers in the market pay in.',
    }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: amountFromZero,
      amount: 'MINOR',
      description: 'Amount in the smallest unit of `currency`, 0 or more.',
    }),
  }),
});

const PlanPriceAddInput = builder.inputType('PlanPriceAddInput', {
  description:
    'Parameters for adding a price to a plan. Set `price` to add a base price, or `inheritsFromPriceId` and `marketPrices` to add a variant.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    billingInterval: t.field({
      type: BillingInterval,
      required: true,
      description: "Billing interval of the price. Can't be changed later.",
    }),
    metadata: t.field({
      type: 'Json',
      description:
        'Free-form metadata. Defaults to an empty object. The key `name` contains the display name of a variant.',
    }),
    price: t.field({
      type: 'SafeInt',
      rule: amountFromZero,
      amount: 'MINOR',
      description:
        'Amount per billing interval in US cents, 0 or more. Required for a base price, not allowed for a variant.',
    }),
    trialDays: t.field({
      type: 'Int',
      rule: { ...trial, default: 0 },
      description: 'Length of the free trial in days, from 0 to 3,650. Defaults to 0.',
    }),
    isDefault: t.boolean({
      description:
        'Whether to make the price the default price of the plan. The first price is always the default.',
    }),
    includedBalance: t.field({
      type: 'SafeInt',
      rule: optionalAmount,
      amount: 'RATE',
      description:
        'Balance granted per usage window, in ten-thousandths of a US dollar (10,000 = 1.00 USD), 0 or more.',
    }),
    includedCredits: t.field({
      type: 'SafeInt',
      rule: optionalAmount,
      description: 'Credits granted per usage window, 0 or more.',
    }),
    minimumSpend: t.field({
      type: 'SafeInt',
      rule: minimum,
      amount: 'MINOR',
      description:
        'Minimum spend per billing period in US cents, 1 or more. Not allowed for one-time prices and variants. In other currencies, the amount is converted at the exchange rate of the plan; without a rate, no minimum applies.',
    }),
    marketPrices: t.field({
      type: [MarketPriceInput],
      description:
        'Amounts per market. Each market can appear only once. A variant needs at least one amount. The base price must have an amount for each market of the variant.',
    }),
    inheritsFromPriceId: t.id({
      rule: { minLength: 1 },
      description:
        'ID of the base price that the variant inherits from. The base price must have the same plan and billing interval.',
    }),
  }),
});

builder.mutationField('planPriceAdd', (t) =>
  t.field({
    type: PlanPrice,
    description: 'Adds a price to a plan. The first price becomes the default price.',
    rest: {
      method: 'POST',
      path: '/plans/{id}/prices',
      names: { planId: 'id' },
      status: 201,
      view: 'PlanPrice',
    },
    errors: [
      'plan_not_found',
      'price_not_found',
      'market_not_found',
      ['duplicate', 'the plan already has a base price for the billing interval'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceAddInput, required: true }) },
    resolve: (_root, { input }, ctx) => addPlanPrice(ctx, input),
  }),
);

const PlanPriceUpdateInput = builder.inputType('PlanPriceUpdateInput', {
  description: 'Parameters for changing a price. Omitted fields keep their values.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    priceId: t.id({ required: true, description: priceId }),
    price: t.field({
      type: 'SafeInt',
      rule: amountFromZero,
      amount: 'MINOR',
      description: 'Amount per billing interval in US cents, 0 or more.',
    }),
    isDefault: t.boolean({
      description:
        "Whether to make the price the default price of the plan. `false` isn't allowed for the current default price.",
    }),
    trialDays: t.field({
      type: 'Int',
      rule: trial,
      description: 'Length of the free trial in days, from 0 to 3,650.',
    }),
    includedBalance: t.field({
      type: 'SafeInt',
      rule: optionalAmount,
      amount: 'RATE',
      description:
        'Balance granted per usage window, in ten-thousandths of a US dollar (10,000 = 1.00 USD), 0 or more. `null` removes the included balance.',
    }),
    includedCredits: t.field({
      type: 'SafeInt',
      rule: optionalAmount,
      description: 'Credits granted per usage window, 0 or more. `null` removes the included credits.',
    }),
    minimumSpend: t.field({
      type: 'SafeInt',
      rule: minimum,
      amount: 'MINOR',
      description:
        'Minimum spend per billing period in US cents, 1 or more. Applies to each subscription from its next renewal. `null` removes the minimum.',
    }),
    metadata: t.field({
      type: 'Json',
      description: 'Metadata to merge into the stored metadata, key by key.',
    }),
    marketPrices: t.field({
      type: [MarketPriceInput],
      description: 'Amounts per market. Replaces all stored market amounts.',
    }),
  }),
});

builder.mutationField('planPriceUpdate', (t) =>
  t.field({
    type: PlanPrice,
    description:
      'Changes a price. Archived prices can also be changed. Subscriptions that use the price pay the new amount from their next renewal.',
    rest: {
      method: 'PATCH',
      path: '/plans/{id}/prices/{priceId}',
      names: { planId: 'id' },
      view: 'PlanPrice',
    },
    errors: [
      'plan_not_found',
      'price_not_found',
      'market_not_found',
      ['price_in_use', '`marketPrices` omits a market for which a variant sets an amount'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updatePlanPrice(ctx, input),
  }),
);

const PlanPriceArchiveInput = builder.inputType('PlanPriceArchiveInput', {
  description: 'Parameters for archiving a price.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    priceId: t.id({ required: true, description: priceId }),
  }),
});

builder.mutationField('planPriceArchive', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Archives a price. The price can no longer be selected, but subscriptions that use it continue to renew.',
    rest: {
      method: 'DELETE',
      path: '/plans/{id}/prices/{priceId}',
      names: { planId: 'id' },
      view: 'DeletedObject',
    },
    errors: [
      'plan_not_found',
      'price_not_found',
      ['price_in_use', "the price has variants, or if it's the default price of a plan with several prices"],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceArchiveInput, required: true }) },
    resolve: (_root, { input }, ctx) => archivePlanPrice(ctx, input),
  }),
);

const PlanPriceDefaultSetInput = builder.inputType('PlanPriceDefaultSetInput', {
  description: 'Parameters for setting the default price of a plan.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    priceId: t.id({ required: true, description: priceId }),
  }),
});

builder.mutationField('planPriceDefaultSet', (t) =>
  t.field({
    type: PlanPrice,
    description:
      'Makes a price the default price of its plan. New subscriptions without a billing interval use the default price. Not allowed for archived prices and variants.',
    rest: {
      method: 'PUT',
      path: '/plans/{id}/prices/{priceId}/default',
      names: { planId: 'id' },
      view: 'PlanPrice',
    },
    errors: ['plan_not_found', 'price_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceDefaultSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setDefaultPrice(ctx, input),
  }),
);
