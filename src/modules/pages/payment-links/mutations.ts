import { builder } from '../../../graphql/reading/builder.ts';
import { payerAddressOf } from '../../customers/customers/store.ts';
import { PayerAddressInput } from '../../customers/customers/types.ts';
import { CheckoutCardInput } from '../checkout/mutations.ts';
import { savedMethodInput } from '../checkout/types/saved-method.ts';
import { authenticateLink, payLink } from './pay.ts';
import { PaymentLinkResult } from './types.ts';

const token = {
  required: true,
  description: "Token from the payment link's URL (the last path segment).",
} as const;

const PaymentLinkPayInput = builder.inputType('PaymentLinkPayInput', {
  description: 'Parameters for paying with a payment link.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({
      type: CheckoutCardInput,
      description: 'Card details. Required in a sandbox if `paymentLink` returns no `publishableKey`.',
    }),
    paymentMethod: t.string({
      rule: { pattern: /^(?:pm|tok_sandbox)_[A-Za-z0-9_]+$/, maxLength: 200 },
      description:
        "Payment method ID (`pm_…`) that Stripe returned to the page. Required if `paymentLink` returns a `publishableKey`. In the live environment without a `publishableKey`, the ID that the platform's payment provider returned.",
    }),
    savedMethod: t.field(savedMethodInput),
    saveCard: t.boolean({
      description:
        'Whether the payer agrees to save the card for later charges. `true` has no effect if `saveCard` of `paymentLink` is `never`. Ignored if `savedMethod` is set. Defaults to `true` if `saveCard` of `paymentLink` is `always`, otherwise to `false`.',
    }),
    email: t.string({
      rule: { nullable: true, format: 'email', maxLength: 320 },
      description: 'Email address of the payer. Required for a link without a customer, otherwise ignored.',
    }),
    billingAddress: t.field({
      type: PayerAddressInput,
      rule: { nullable: true },
      description:
        "Billing address. Replaces the customer's address after payment. If omitted or `null`, the address doesn't change. Required if `requiresBillingCountry` of `paymentLink` is `true`.",
    }),
    taxDocument: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 100 },
      description:
        "Tax ID. Replaces the customer's tax ID after payment. If omitted or `null`, the tax ID doesn't change.",
    }),
    companyName: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 200 },
      description:
        "Name of the paying company, shown on the invoice. Replaces the customer's `fullName` after payment. If omitted or `null`, the name doesn't change.",
    }),
  }),
});

builder.mutationField('paymentLinkPay', (t) =>
  t.field({
    type: PaymentLinkResult,
    description:
      'Pays a payment link. Fails with `validation_error` if the card is invalid, or if a required email address or `billingAddress.country` is missing.',
    errors: [
      ['payment_failed', 'the charge is declined (`details.declineCode`). The payer can try again'],
      ['no_outstanding_invoice', 'the payment was already made or the link was canceled'],
      'charge_in_progress',
      ['payment_method_not_found', "the link doesn't offer the stored card"],
      [
        'provider_unsupported',
        'another payment connection collects payments from the country of the billing address, or if card details are sent in the live environment',
      ],
      ['charge_failed', "Stripe can't be reached"],
    ],
    access: { page: 'pay' },
    args: { input: t.arg({ type: PaymentLinkPayInput, required: true }) },
    resolve: (
      _root,
      {
        input: {
          card,
          paymentMethod,
          savedMethod,
          saveCard,
          email,
          billingAddress,
          taxDocument,
          companyName,
        },
      },
      ctx,
    ) =>
      payLink(ctx, {
        card,
        paymentMethod,
        savedMethod,
        saveCard,
        email,
        billingAddress: billingAddress ? payerAddressOf(billingAddress) : null,
        taxDocument,
        companyName,
      }),
  }),
);

const PaymentLinkAuthenticateInput = builder.inputType('PaymentLinkAuthenticateInput', {
  description: 'Parameters for completing the authentication for a payment link payment.',
  fields: (t) => ({
    token: t.string(token),
    succeed: t.boolean({ required: true, description: 'Whether the payer authenticated successfully.' }),
  }),
});

builder.mutationField('paymentLinkAuthenticate', (t) =>
  t.field({
    type: PaymentLinkResult,
    description:
      'Completes the pending authentication for a payment link payment. For a connected account, the payment provider reports the result, so the payment can remain pending.',
    errors: [
      ['payment_failed', 'the authentication failed'],
      ['payment_not_found', 'no authentication is pending'],
      ['no_outstanding_invoice', 'the payment was already made or the link was canceled'],
      ['charge_in_progress', "the payment provider hasn't responded yet"],
    ],
    access: { page: 'pay' },
    args: {
      input: t.arg({ type: PaymentLinkAuthenticateInput, required: true }),
    },
    resolve: (_root, { input: { succeed } }, ctx) => authenticateLink(ctx, succeed),
  }),
);
