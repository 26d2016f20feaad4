import { builder } from '../../graphql/builder.ts';
import type { Rule } from '../../graphql/rules.ts';
import { reference } from '../../graphql/shapes.ts';
import { Currency } from '../currencies/enums.ts';
import { cancelPayment } from './cancel.ts';
import { chargePayment } from './charge.ts';
import { createPayment } from './create.ts';
import { Payment } from './types.ts';

/** So large that no business reaches it, so small that its rate and its tax still fit the database in every currency. */
const amountRule = { minimum: 1, maximum: 900_000_000_000_000 } as const satisfies Rule;
const amountText =
  'Minor units of the currency before tax, above 0, at most 900 000 000 000 000. Tax comes on top.';
const descriptionRule = { minLength: 1, maxLength: 1_000, multiline: true } as const satisfies Rule;
const descriptionText = 'What it is for, 1 to 1000 characters; stands on the invoice.';
const metadataText = 'Texts by keys of your own; kept with the payment and its invoice.';

const PaymentCreateInput = builder.inputType('PaymentCreateInput', {
  description: 'A new payment link.',
  fields: (t) => ({
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountRule,
      description: amountText,
    }),
    currency: t.field({ type: Currency, required: true, description: 'What it is paid in.' }),
    description: t.string({ required: true, rule: descriptionRule, description: descriptionText }),
    customerId: t.string({
      rule: reference,
      description:
        'Our id of the customer, else its external id. Without one the page asks for an email address.',
    }),
    provider: t.string({
      rule: { ...reference, graphqlOnly: true },
      description:
        "A provider name or connection id; by the payer's country. Defaults to else the default. REST takes none.",
    }),
    successUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'Where the page leads back to once it is paid.',
    }),
    metadata: t.field({ type: 'TextMap', description: metadataText }),
  }),
});

builder.mutationField('paymentCreate', (t) =>
  t.field({
    type: Payment,
    description:
      'Makes a link at which someone can pay once, without a subscription. It does not expire. Paying it stores the card with the customer and issues an invoice. `provider_unsupported` for a connection that cannot be used, and with `details.reason` `no_live_processor` in live mode while nothing is set up that could charge.',
    rest: {
      method: 'POST',
      path: '/payments',
      status: 201,
      view: 'Payment',
      errors: ['customer_not_found', 'payment_failed'],
    },
    errors: ['provider_unsupported'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PaymentCreateInput, required: true, description: 'What is to be paid.' }) },
    resolve: (_root, { input }, ctx) => createPayment(ctx, input),
  }),
);

const PaymentChargeInput = builder.inputType('PaymentChargeInput', {
  description: 'A charge of a stored payment method.',
  fields: (t) => ({
    customerId: t.string({
      required: true,
      rule: reference,
      description: 'Our id of the customer, else its external id.',
    }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountRule,
      description: amountText,
    }),
    currency: t.field({ type: Currency, required: true, description: 'What is charged in.' }),
    description: t.string({ required: true, rule: descriptionRule, description: descriptionText }),
    metadata: t.field({ type: 'TextMap', description: metadataText }),
  }),
});

builder.mutationField('paymentCharge', (t) =>
  t.field({
    type: Payment,
    description:
      'Charges a stored method of the customer in its absence: that of its subscription, else the one stored last. Declined, it is `payment_failed` with `details.declineCode` and `details.paymentId` of the failed payment; where the issuer wants the payer to authenticate, `details.reason` is `requires_action`. `provider_unsupported` with `details.reason` `no_live_processor` in live mode while nothing is set up that could charge the method.',
    rest: {
      method: 'POST',
      path: '/payments/charge',
      status: 201,
      view: 'Payment',
      errors: ['customer_not_found', 'no_payment_method', 'payment_failed', 'provider_unsupported'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: PaymentChargeInput,
        required: true,
        description: 'Whom to charge, and for what.',
      }),
    },
    resolve: (_root, { input }, ctx) => chargePayment(ctx, input),
  }),
);

const PaymentCancelInput = builder.inputType('PaymentCancelInput', {
  description: 'Which payment link to withdraw.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the payment.' }) }),
});

builder.mutationField('paymentCancel', (t) =>
  t.field({
    type: Payment,
    description:
      'Withdraws a link that has not been paid; one that was withdrawn already is answered as it is. `payment_not_cancelable` for a charge, for a paid link and for one that is being paid.',
    rest: {
      method: 'POST',
      path: '/payments/{id}/cancel',
      view: 'Payment',
      errors: ['payment_not_found', 'payment_not_cancelable'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PaymentCancelInput, required: true, description: 'The link.' }) },
    resolve: (_root, { input }, ctx) => cancelPayment(ctx, input.id),
  }),
);
