import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { Currency } from '../currencies/enums.ts';
import { BillingInterval } from '../plans/enums.ts';
import { addPlanPrice } from './add.ts';
import { archivePlanPrice } from './archive.ts';
import { PlanPrice } from './types.ts';
import { setDefaultPrice, updatePlanPrice } from './update.ts';

const planId = 'Id of the plan, else its code.';
const priceId = 'Id of the price.';
const amount = { minimum: 0 } as const;
const optionalAmount = { minimum: 0, nullable: true } as const;
const trial = { minimum: 0, maximum: 3_650 } as const;

const MarketPriceInput = builder.inputType('MarketPriceInput', {
  description: "A market's own amount.",
  fields: (t) => ({
    marketGroupId: t.id({
      required: true,
      rule: { minLength: 1 },
      description: 'Id of the market; `market_not_found` when there is none.',
    }),
    currency: t.field({ type: Currency, required: true, description: 'What the market pays in.' }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: amount,
      amount: 'MINOR',
      description: 'Minor units of the currency, from 0 on.',
    }),
  }),
});

const PlanPriceAddInput = builder.inputType('PlanPriceAddInput', {
  description:
    'A new price: a base price with `price`, or a variant with `inheritsFromPriceId` and `marketPrices`.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    billingInterval: t.field({ type: BillingInterval, required: true, description: 'It never changes.' }),
    metadata: t.field({
      type: 'Json',
      description: "Free-form. Defaults to empty. A variant's display name goes into `name`.",
    }),
    price: t.field({
      type: 'SafeInt',
      rule: amount,
      amount: 'MINOR',
      description: 'US cents, from 0 on. Required for a base price, rejected for a variant.',
    }),
    trialDays: t.field({
      type: 'Int',
      rule: { ...trial, default: 0 },
      description: '0 to 3 650. Defaults to 0.',
    }),
    isDefault: t.boolean({
      description: 'True takes the mark from the present default price. The first price gets it anyway.',
    }),
    includedBalance: t.field({
      type: 'SafeInt',
      rule: optionalAmount,
      amount: 'RATE',
      description: 'Balance per consumption window, from 0 on; 10 000 is 1.00 USD.',
    }),
    includedCredits: t.field({
      type: 'SafeInt',
      rule: optionalAmount,
      description: 'Credits per consumption window, from 0 on.',
    }),
    marketPrices: t.field({
      type: [MarketPriceInput],
      description:
        'Amounts of markets, each once. A variant needs at least one, for markets its base has an amount for.',
    }),
    inheritsFromPriceId: t.id({
      rule: { minLength: 1 },
      description: 'The base price a variant extends, of the same plan and interval.',
    }),
  }),
});

builder.mutationField('planPriceAdd', (t) =>
  t.field({
    type: PlanPrice,
    description:
      'Adds a price to a plan. The first one becomes the default; `duplicate` for a second base price of an interval.',
    rest: {
      method: 'POST',
      path: '/plans/{id}/prices',
      names: { planId: 'id' },
      status: 201,
      view: 'PlanPrice',
      errors: ['plan_not_found', 'price_not_found', 'market_not_found', 'duplicate'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceAddInput, required: true, description: 'The new price.' }) },
    resolve: (_root, { input }, ctx) => addPlanPrice(ctx, input),
  }),
);

const PlanPriceUpdateInput = builder.inputType('PlanPriceUpdateInput', {
  description: 'Changes to a price; what is left out stays as it is.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    priceId: t.id({ required: true, description: priceId }),
    price: t.field({ type: 'SafeInt', rule: amount, amount: 'MINOR', description: 'US cents, from 0 on.' }),
    isDefault: t.boolean({
      description: 'True makes it the default price; false is rejected for the default price.',
    }),
    trialDays: t.field({ type: 'Int', rule: trial, description: '0 to 3 650.' }),
    includedBalance: t.field({
      type: 'SafeInt',
      rule: optionalAmount,
      amount: 'RATE',
      description: 'Balance per consumption window, from 0 on; 10 000 is 1.00 USD. Null for none.',
    }),
    includedCredits: t.field({
      type: 'SafeInt',
      rule: optionalAmount,
      description: 'Credits per consumption window, from 0 on. Null for none.',
    }),
    metadata: t.field({ type: 'Json', description: 'Merged key by key into the stored metadata.' }),
    marketPrices: t.field({
      type: [MarketPriceInput],
      description:
        'Replaces the amounts of markets; `price_in_use` for one left out that a variant overrides.',
    }),
  }),
});

builder.mutationField('planPriceUpdate', (t) =>
  t.field({
    type: PlanPrice,
    description:
      'Changes a price, archived or not. Who is bound to it pays the new amount from the next renewal on.',
    rest: {
      method: 'PATCH',
      path: '/plans/{id}/prices/{priceId}',
      names: { planId: 'id' },
      view: 'PlanPrice',
      errors: ['plan_not_found', 'price_not_found', 'market_not_found', 'price_in_use'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updatePlanPrice(ctx, input),
  }),
);

const PlanPriceArchiveInput = builder.inputType('PlanPriceArchiveInput', {
  description: 'Which price of which plan to archive.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    priceId: t.id({ required: true, description: priceId }),
  }),
});

builder.mutationField('planPriceArchive', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Archives a price: it can no longer be selected; subscriptions bound to it continue. `price_in_use` for the default price among others and for a base with variants.',
    rest: {
      method: 'DELETE',
      path: '/plans/{id}/prices/{priceId}',
      names: { planId: 'id' },
      view: 'DeletedObject',
      errors: ['plan_not_found', 'price_not_found', 'price_in_use'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceArchiveInput, required: true, description: 'The price.' }) },
    resolve: (_root, { input }, ctx) => archivePlanPrice(ctx, input),
  }),
);

const PlanPriceDefaultSetInput = builder.inputType('PlanPriceDefaultSetInput', {
  description: 'Which price of which plan to make the default one.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    priceId: t.id({ required: true, description: priceId }),
  }),
});

builder.mutationField('planPriceDefaultSet', (t) =>
  t.field({
    type: PlanPrice,
    description:
      'Makes a price the default one: the interval of a subscription that names none. Archived prices and variants cannot be.',
    rest: {
      method: 'PUT',
      path: '/plans/{id}/prices/{priceId}/default',
      names: { planId: 'id' },
      view: 'PlanPrice',
      errors: ['plan_not_found', 'price_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPriceDefaultSetInput, required: true, description: 'The price.' }) },
    resolve: (_root, { input }, ctx) => setDefaultPrice(ctx, input),
  }),
);
