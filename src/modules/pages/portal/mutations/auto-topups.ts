import { amountAboveZero } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { autoTopUpRemove, autoTopUpSet } from '../../../subscriptions/auto-topups/mutations.ts';
import { requireTopUp } from '../../../subscriptions/auto-topups/store.ts';
import { reread, shownSubscription } from '../pay.ts';
import { demandOffered } from '../store.ts';
import { PortalSubscription } from '../types/subscription.ts';
import { inputField, portalInput, portalMutation } from './declare.ts';

const asset = {
  required: true,
  rule: { minLength: 1, maxLength: 64 },
  description: 'Code of a custom unit such as `credits`, or the lowercase code of a currency.',
} as const;

portalMutation('portalAutoTopUpSet', {
  parameters: 'Parameters for setting an automatic top-up.',
  fields: {
    asset: inputField.string(asset),
    threshold: inputField.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0 },
      description:
        'Available amount at or below which the account is topped up, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00). 0 or more.',
    }),
    amount: inputField.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: amountAboveZero,
      description:
        "Amount to add before tax, in the smallest unit of the subscription's currency. Only for a balance.",
    }),
    creditPackId: inputField.id({
      rule: { minLength: 1, maxLength: 200 },
      description: 'ID of the credit pack to purchase, from `creditPacks`. Only for custom units.',
    }),
    quantity: inputField.int({
      rule: { minimum: 1, maximum: 100 },
      description: 'Number of packs per purchase, from 1 to 100. Only with `creditPackId`. Defaults to 1.',
    }),
    target: inputField.field({
      type: 'SafeInt',
      rule: { minimum: 1 },
      description:
        'Balance that a purchase reaches, in ten-thousandths of the currency unit (10,000 = 1.00). Only for a balance. Replaces `amount`.',
    }),
    maxPerMonth: inputField.int({
      required: true,
      rule: { minimum: 1, maximum: 100 },
      description: 'Maximum number of purchases in a calendar month. From 1 to 100.',
    }),
    maxAmountPerMonth: inputField.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description:
        'Maximum sum of purchases in a calendar month including tax, in the smallest currency unit.',
    }),
    statement: inputField.string({
      required: true,
      rule: { minLength: 1, maxLength: 5_000, multiline: true },
      description: 'Text that the customer accepted. Up to 5,000 characters.',
    }),
    language: inputField.string({
      required: true,
      rule: { minLength: 2, maxLength: 35 },
      description: 'Language of the text, such as `en`.',
    }),
  },
  setting: 'customerAutoTopUp',
  check: (ctx) => demandOffered(ctx, 'purchase'),
  operation: autoTopUpSet,
  as: ({ customerId }, { amount, creditPackId, quantity, target, statement, language, ...terms }) => ({
    ...terms,
    customerId,
    refill: {
      amount: amount ?? null,
      creditPackId: creditPackId ?? null,
      quantity: quantity ?? null,
      target: target ?? null,
    },
    consent: { statement, language },
  }),
  description:
    'Sets and enables the automatic top-up of the credits or the balance. The statement is stored as the consent of the customer.',
  errors: [
    'subscription_not_active',
    'subscription_not_found',
    'credit_pack_not_found',
    'missing_regional_price',
    'no_payment_method',
    'payment_failed',
  ],
});

const PortalAutoTopUpRemoveInput = portalInput(
  'PortalAutoTopUpRemoveInput',
  'Parameters for removing an automatic top-up.',
  { asset: inputField.string(asset) },
);

builder.mutationField('portalAutoTopUpRemove', (t) =>
  t.field({
    type: PortalSubscription,
    description: 'Removes the automatic top-up of the credits or the balance.',
    errors: ['subscription_not_found', ['not_found', "the account isn't topped up automatically"]],
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalAutoTopUpRemoveInput, required: true }) },
    resolve: async (_root, { input }, ctx) => {
      await demandOffered(ctx, 'purchase');
      const { id, customerId } = await shownSubscription(ctx);
      const topUp = await requireTopUp(ctx, customerId, input.asset);
      await autoTopUpRemove.executeFor(ctx, topUp, { customerId, asset: topUp.asset });
      return reread(ctx, id);
    },
  }),
);
