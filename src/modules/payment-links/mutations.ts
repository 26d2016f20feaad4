import { builder } from '../../graphql/builder.ts';
import { CheckoutCardInput } from '../checkout/mutations.ts';
import { savedMethodInput } from '../checkout/types/saved-method.ts';
import { payerAddressOf } from '../customers/store.ts';
import { PayerAddressInput } from '../customers/types.ts';
import { authenticateLink, payLink } from './pay.ts';
import { PaymentLinkResult } from './types.ts';

const token = { required: true, description: 'The last part of the address of the page.' } as const;

const PaymentLinkPayInput = builder.inputType('PaymentLinkPayInput', {
  description: 'A payment at a link.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({
      type: CheckoutCardInput,
      description: "The card, where `paymentLink` shows no `publishableKey`: the platform's own processor.",
    }),
    paymentMethod: t.string({
      rule: { pattern: /^pm_[A-Za-z0-9_]+$/, maxLength: 200 },
      description:
        'What Stripe gave the page for the card it collected, `pm_…`, where `paymentLink` shows a `publishableKey`; in live mode without one, what the provider gave.',
    }),
    savedMethod: t.field(savedMethodInput),
    email: t.string({
      rule: { nullable: true, format: 'email', maxLength: 320 },
      description: 'Who pays, needed on a link without customer; of no account on others.',
    }),
    billingAddress: t.field({
      type: PayerAddressInput,
      rule: { nullable: true },
      description:
        "Replaces the payer's address once it is paid; it stays when absent or null. Needed where `paymentLink` says `requiresBillingCountry`.",
    }),
    taxDocument: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 100 },
      description: "Replaces the payer's tax number once it is paid; it stays when absent or null.",
    }),
    companyName: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 200 },
      description:
        'The name of the company that pays: the invoice is made out to it. Replaces the `fullName` of the customer once it is paid; that stays when absent or null.',
    }),
  }),
});

builder.mutationField('paymentLinkPay', (t) =>
  t.field({
    type: PaymentLinkResult,
    description:
      'Pays a payment link. A decline is `payment_failed` with `details.declineCode` and can be tried again; `validation_error` for the card, a missing email address and a missing `billingAddress.country`, `payment_method_not_found` for a stored card that is not offered, `no_outstanding_invoice` once it is paid or canceled, `charge_in_progress`, `provider_unsupported` for a card meant for another account and for one typed in here in live mode, `charge_failed` when Stripe cannot be reached.',
    errors: [
      'payment_failed',
      'no_outstanding_invoice',
      'charge_in_progress',
      'payment_method_not_found',
      'provider_unsupported',
      'charge_failed',
    ],
    access: { page: 'pay' },
    args: { input: t.arg({ type: PaymentLinkPayInput, required: true, description: 'The payment.' }) },
    resolve: (
      _root,
      { input: { card, paymentMethod, savedMethod, email, billingAddress, taxDocument, companyName } },
      ctx,
    ) =>
      payLink(ctx, {
        card,
        paymentMethod,
        savedMethod,
        email,
        billingAddress: billingAddress ? payerAddressOf(billingAddress) : null,
        taxDocument,
        companyName,
      }),
  }),
);

const PaymentLinkAuthenticateInput = builder.inputType('PaymentLinkAuthenticateInput', {
  description: 'How an authentication at a payment link ended.',
  fields: (t) => ({
    token: t.string(token),
    succeed: t.boolean({ required: true, description: 'Whether the payer passed it.' }),
  }),
});

builder.mutationField('paymentLinkAuthenticate', (t) =>
  t.field({
    type: PaymentLinkResult,
    description:
      'Ends the authentication a payment link waits for. Failed, it is a decline: `payment_failed`. `payment_not_found` when none is awaited, `no_outstanding_invoice` once it is paid or canceled, `charge_in_progress` while the provider has not answered. At an account of the organization its word counts, and the link may go on waiting.',
    errors: ['payment_failed', 'payment_not_found', 'no_outstanding_invoice', 'charge_in_progress'],
    access: { page: 'pay' },
    args: {
      input: t.arg({ type: PaymentLinkAuthenticateInput, required: true, description: 'How it ended.' }),
    },
    resolve: (_root, { input: { succeed } }, ctx) => authenticateLink(ctx, succeed),
  }),
);
