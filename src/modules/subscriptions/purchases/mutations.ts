import { operation } from '../../../engine/operation.ts';
import { throwIssues } from '../../../graphql/declare/rules.ts';
import { amountAboveZero } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { adjustBalance } from './adjust.ts';
import { PrepaidModel } from './enums.ts';
import { onPurchase, purchaseErrors, requireBought } from './store.ts';
import { BalanceAdjustment, BalanceTopup, CreditGrant } from './types.ts';

const subscriptionId = 'ID of the subscription.';

const SubscriptionBalanceAdjustInput = builder.inputType('SubscriptionBalanceAdjustInput', {
  description: 'Parameters for adjusting the credits or the balance of a subscription.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      description:
        'Amount to add, or to deduct if negative. Must not be 0. In credits, or in ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    reason: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Reason for the adjustment. Up to 1,000 characters.',
    }),
    type: t.field({
      type: PrepaidModel,
      description:
        "Type of balance to adjust. Defaults to the type that the plan uses. Types that the plan doesn't use are rejected.",
    }),
  }),
});

builder.mutationField('subscriptionBalanceAdjust', (t) =>
  t.field({
    type: BalanceAdjustment,
    description:
      "Adjusts the credits or the balance of a subscription without a charge. Added credits become purchased credits. Deductions use plan credits first. Credits never become negative. The balance can become negative only if usage isn't blocked when the balance runs out.",
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/balance/adjust',
      names: { subscriptionId: 'id' },
      view: 'BalanceAdjustment',
    },
    errors: [
      'subscription_not_found',
      'subscription_not_active',
      'insufficient_credits',
      'insufficient_balance',
    ],
    movesMoney: true,
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: SubscriptionBalanceAdjustInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => {
      if (input.amount === 0) throwIssues([{ field: 'amount', message: 'must not be 0' }]);
      return adjustBalance(ctx, input);
    },
  }),
);

const SubscriptionBalanceTopUpInput = builder.inputType('SubscriptionBalanceTopUpInput', {
  description: 'Parameters for topping up a balance.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description:
        "Amount to top up, before tax, in the smallest unit of the subscription's currency, such as cents. From 1 to 900,000,000,000,000.",
    }),
  }),
});

/** Tops up the balance of a subscription by an amount in minor units (CON-25). */
export const balanceTopUp = operation({
  countedAs: 'balance_topup',
  input: SubscriptionBalanceTopUpInput,
  ...onPurchase,
  command: ({ subscriptionId: id, amount }) => ({
    kind: 'balance.topup',
    subscriptionId: id,
    amountMinor: BigInt(amount),
  }),
  result: (ctx, { done }) => requireBought(ctx, done),
});

builder.mutationField('subscriptionBalanceTopUp', (t) =>
  t.operation(balanceTopUp, {
    type: BalanceTopup,
    description:
      'Tops up the balance of a subscription and charges the stored payment method. The amount is added after the charge succeeds, and expires at the next balance reset. Only for plans with the consumption model `balance`.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/balance/topup',
      names: { subscriptionId: 'id' },
      view: 'BalanceTopup',
    },
    errors: purchaseErrors,
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const SubscriptionCreditsPurchaseInput = builder.inputType('SubscriptionCreditsPurchaseInput', {
  description: 'Parameters for purchasing a credit pack.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: subscriptionId }),
    creditPackId: t.id({
      required: true,
      rule: { minLength: 1, maxLength: 200 },
      description: 'ID of an active credit pack.',
    }),
  }),
});

/** Purchases a credit pack for a subscription (CON-20). */
export const creditsPurchase = operation({
  countedAs: 'credits_purchase',
  input: SubscriptionCreditsPurchaseInput,
  ...onPurchase,
  command: ({ subscriptionId: id, creditPackId }) => ({
    kind: 'credits.purchase',
    subscriptionId: id,
    creditPackId,
  }),
  result: async (ctx, { done }) => {
    const invoice = await requireBought(ctx, done);
    const { purchase } = invoice;
    if (purchase === null || !('credits' in purchase))
      throw new Error(`The invoice ${invoice.id} buys no credits.`);
    return { credits: purchase.credits, invoice };
  },
});

builder.mutationField('subscriptionCreditsPurchase', (t) =>
  t.operation(creditsPurchase, {
    type: CreditGrant,
    description:
      'Purchases a credit pack for a subscription and charges the stored payment method. The credits are added after the charge succeeds, and never expire. Only for plans with the consumption model `credits`.',
    rest: {
      method: 'POST',
      path: '/subscriptions/{id}/credits',
      names: { subscriptionId: 'id' },
      view: 'CreditGrant',
    },
    errors: [...purchaseErrors, 'credit_pack_not_found', 'missing_regional_price'],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);
