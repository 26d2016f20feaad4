import { operation } from '../../../engine/operation.ts';
import type { Rule } from '../../../graphql/declare/rules.ts';
import { amountAboveZero, reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { newId } from '../../../platform/ids.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { cancelPayment } from './cancel.ts';
import { createPayment } from './create.ts';
import { CardSaving } from './enums.ts';
import { termsOf } from './rules.ts';
import { paymentLeft, rereadPayment } from './store.ts';
import { Payment } from './types.ts';

const amountText =
  'Amount before tax, in the smallest currency unit. From 1 to 900,000,000,000,000. Tax is added.';
const descriptionRule = { minLength: 1, maxLength: 1_000, multiline: true } as const satisfies Rule;
const descriptionText = 'Description of the payment, shown on the invoice. From 1 to 1,000 characters.';
const metadataText = 'Custom key-value data with string values. Stored with the payment and its invoice.';

const PaymentCreateInput = builder.inputType('PaymentCreateInput', {
  description: 'Parameters for creating a payment link.',
  fields: (t) => ({
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description: amountText,
    }),
    currency: t.field({ type: Currency, required: true, description: 'Currency of the payment.' }),
    description: t.string({ required: true, rule: descriptionRule, description: descriptionText }),
    customerId: t.string({
      rule: reference,
      description: 'ID or external ID of the customer. If omitted, the page requests an email address.',
    }),
    provider: t.string({
      rule: { ...reference, graphqlOnly: true },
      description:
        "Provider name or connection ID. Defaults to the connection for the payer's country, otherwise to the default connection. Not available over REST.",
    }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'URL to which the payer returns after the payment.',
    }),
    saveCard: t.field({
      type: CardSaving,
      description:
        'Setting that determines whether the card is saved, so that `paymentCharge` can charge the card later. The page informs the payer before payment. Defaults to `always`.',
    }),
    metadata: t.field({ type: 'TextMap', description: metadataText }),
  }),
});

builder.mutationField('paymentCreate', (t) =>
  t.field({
    type: Payment,
    description:
      "Creates a payment link for a one-time payment without a subscription. The link doesn't expire. When the payer completes the payment, an invoice is issued, and the card is saved according to `saveCard`.",
    rest: {
      method: 'POST',
      path: '/payments',
      status: 201,
      view: 'Payment',
    },
    errors: [
      'customer_not_found',
      'payment_failed',
      [
        'provider_unsupported',
        "the payment connection can't be used, or if no payment provider is configured in the live environment (`details.reason` is `no_live_processor`)",
      ],
    ],
    movesMoney: true,
    access: { scope: 'write' },
    args: { input: t.arg({ type: PaymentCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createPayment(ctx, input),
  }),
);

const PaymentChargeInput = builder.inputType('PaymentChargeInput', {
  description: 'Parameters for charging a stored payment method.',
  fields: (t) => ({
    customerId: t.string({
      required: true,
      rule: reference,
      description: 'ID or external ID of the customer.',
    }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description: amountText,
    }),
    currency: t.field({ type: Currency, required: true, description: 'Currency of the charge.' }),
    description: t.string({ required: true, rule: descriptionRule, description: descriptionText }),
    metadata: t.field({ type: 'TextMap', description: metadataText }),
  }),
});

/**
 * Charges a customer's stored payment method (PAY-7). If the payment method is declined, records a failed payment and
 * throws `payment_failed` with `details.declineCode` and `details.paymentId`. If the payment method requires
 * authentication, `details.reason` is `requires_action`. The payment is `processing` until the payment provider
 * responds.
 */
const paymentCharge = operation({
  input: PaymentChargeInput,
  find: async (ctx, { customerId }) => {
    const { id } = await requireCustomer(ctx, customerId, 'customerId');
    return { customerId: id, paymentId: (await paymentLeft(ctx)) ?? newId('pay') };
  },
  command: (input, { paymentId }) => ({ kind: 'payment.charge', ...termsOf(paymentId, input) }),
  result: (ctx, { subject: { paymentId } }) => rereadPayment(ctx, paymentId),
});

builder.mutationField('paymentCharge', (t) =>
  t.operation(paymentCharge, {
    type: Payment,
    description:
      "Charges a stored payment method of the customer without the payer being present. Uses the payment method of the customer's subscription, or otherwise the most recently stored payment method.",
    rest: {
      method: 'POST',
      path: '/payments/charge',
      status: 201,
      view: 'Payment',
    },
    errors: [
      'customer_not_found',
      'no_payment_method',
      [
        'payment_failed',
        'the charge is declined (`details.declineCode`) or the card issuer requires authentication (`details.reason` is `requires_action`). `details.paymentId` is the ID of the failed payment',
      ],
      [
        'provider_unsupported',
        'no payment provider that can charge the payment method is configured in the live environment (`details.reason` is `no_live_processor`)',
      ],
    ],
    movesMoney: true,
    access: { scope: 'write' },
  }),
);

const PaymentCancelInput = builder.inputType('PaymentCancelInput', {
  description: 'Parameters for canceling a payment link.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the payment.' }) }),
});

builder.mutationField('paymentCancel', (t) =>
  t.field({
    type: Payment,
    description:
      'Cancels an unpaid payment link. If the link is already canceled, the payment is returned unchanged.',
    rest: {
      method: 'POST',
      path: '/payments/{id}/cancel',
      view: 'Payment',
    },
    errors: [
      'payment_not_found',
      ['payment_not_cancelable', 'the payment is a charge, is already paid, or is in progress'],
    ],
    movesMoney: true,
    access: { scope: 'write' },
    args: { input: t.arg({ type: PaymentCancelInput, required: true }) },
    resolve: (_root, { input }, ctx) => cancelPayment(ctx, input.id),
  }),
);
