import { builder } from '../../graphql/builder.ts';
import { throwIssues } from '../../graphql/rules.ts';
import { PrepaidModel } from '../usage/types/usage.ts';
import { adjustBalance } from './adjust.ts';
import { purchaseCredits } from './purchase-credits.ts';
import { topUpBalance } from './top-up.ts';
import { BalanceAdjustment, BalanceTopup, CreditGrant } from './types.ts';

const subscriptionId = 'Id of the subscription.';

/** What every purchase on a subscription can meet. */
const purchaseErrors = [
  'subscription_not_found',
  'subscription_not_active',
  'no_payment_method',
  'charge_in_progress',
  'charge_failed',
  'payment_failed',
] as const;

const SubscriptionBalanceAdjustInput = builder.inputType('SubscriptionBalanceAdjustInput', {
  description: 'A correction of credits or balance.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      description: 'Signed, not 0: credits, or money with 10000 being 1.00.',
    }),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Why, up to 1 000 characters.',
    }),
    type: t.field({
      type: PrepaidModel,
      description: 'The pool of the plan. Defaults to that pool; any other is rejected.',
    }),
  }),
});

builder.mutationField('subscriptionBalanceAdjust', (t) =>
  t.field({
    type: BalanceAdjustment,
    description:
      'Adds or takes credits or balance without a charge. Added credits are bought ones; fewer are taken from the plan first. Neither credits nor a blocking balance go below 0.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/balance/adjust',
      names: { subscriptionId: 'id' },
      view: 'BalanceAdjustment',
      errors: [
        'subscription_not_found',
        'subscription_not_active',
        'insufficient_credits',
        'insufficient_balance',
      ],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionBalanceAdjustInput, required: true, description: 'The correction.' }),
    },
    resolve: (_root, { input }, ctx) => {
      if (input.amount === 0) throwIssues([{ field: 'amount', message: 'must not be 0' }]);
      return adjustBalance(ctx, input);
    },
  }),
);

export const SubscriptionBalanceTopUpInput = builder.inputType('SubscriptionBalanceTopUpInput', {
  description: 'How much balance to buy.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: { minimum: 1 },
      description: "Minor units of the subscription's currency, above 0; tax comes on top.",
    }),
  }),
});

builder.mutationField('subscriptionBalanceTopUp', (t) =>
  t.field({
    type: BalanceTopup,
    description:
      'Buys balance with the stored payment method; it is there once the charge has settled, and lapses at the next reset. Balance plans only.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/balance/topup',
      names: { subscriptionId: 'id' },
      view: 'BalanceTopup',
      errors: purchaseErrors,
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionBalanceTopUpInput, required: true, description: 'The amount.' }),
    },
    resolve: (_root, { input }, ctx) => topUpBalance(ctx, input),
  }),
);

export const SubscriptionCreditsPurchaseInput = builder.inputType('SubscriptionCreditsPurchaseInput', {
  description: 'Which credit pack to buy.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    creditPackId: t.id({
      required: true,
      rule: { minLength: 1, maxLength: 200 },
      description: 'Id of a credit pack that is for sale.',
    }),
  }),
});

builder.mutationField('subscriptionCreditsPurchase', (t) =>
  t.field({
    type: CreditGrant,
    description:
      'Buys one credit pack with the stored payment method; the credits are there once the charge has settled, and never expire. Credits plans only.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/credits',
      names: { subscriptionId: 'id' },
      view: 'CreditGrant',
      errors: [...purchaseErrors, 'credit_pack_not_found', 'missing_regional_price'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: SubscriptionCreditsPurchaseInput,
        required: true,
        description: 'The credit pack.',
      }),
    },
    resolve: (_root, { input }, ctx) => purchaseCredits(ctx, input),
  }),
);
