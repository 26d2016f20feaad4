import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../catalog/plans/enums.ts';
import { payerAddressOf } from '../../customers/customers/store.ts';
import { PayerAddressInput } from '../../customers/customers/types.ts';
import { Language } from '../../organization/organizations/types/organization.ts';
import { authenticateCheckout } from './authenticate.ts';
import { checkoutSubject } from './load.ts';
import { payCheckout } from './pay.ts';
import { Checkout } from './types/checkout.ts';
import { CheckoutResult } from './types/result.ts';
import { savedMethodInput } from './types/saved-method.ts';
import { updateCheckout } from './update.ts';

const token = {
  required: true,
  description: 'Token from the checkout URL (the last path segment).',
} as const;

export const CheckoutCardInput = builder.inputType('CheckoutCardInput', {
  description: 'Card details as entered by the payer. Sent to the payment provider and never stored.',
  fields: (t) => ({
    number: t.string({
      required: true,
      rule: { maxLength: 40 },
      description: 'Card number. From 12 to 19 digits. Spaces and hyphens are ignored.',
    }),
    expMonth: t.field({
      type: 'Int',
      required: true,
      description: 'Expiration month of the card, from 1 to 12.',
    }),
    expYear: t.field({
      type: 'Int',
      required: true,
      description: 'Expiration year of the card, with 4 digits.',
    }),
    cvc: t.string({
      required: true,
      rule: { maxLength: 10 },
      description: 'Security code of the card, with 3 or 4 digits.',
    }),
  }),
});

const CheckoutBankAccountInput = builder.inputType('CheckoutBankAccountInput', {
  description:
    'Bank account as entered by the payer. Available only in the sandbox, which accepts its test accounts.',
  fields: (t) => ({
    accountNumber: t.string({
      required: true,
      rule: { maxLength: 60 },
      description: 'IBAN, or account number of a bank in the United States. Spaces are ignored.',
    }),
    routingNumber: t.string({
      rule: { nullable: true, maxLength: 20 },
      description: 'Routing number with 9 digits. Required for banks in the United States.',
    }),
    mandateVersion: t.string({
      required: true,
      rule: { maxLength: 20 },
      description: 'Version of the mandate text that the payer accepted, from `instruments` of `checkout`.',
    }),
  }),
});

const CheckoutPayInput = builder.inputType('CheckoutPayInput', {
  description: 'Parameters for paying at checkout.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({
      type: CheckoutCardInput,
      description: 'Card details. Required in a sandbox if `checkout` returns no `publishableKey`.',
    }),
    paymentMethod: t.string({
      rule: { pattern: /^(?:pm|tok_sandbox)_[A-Za-z0-9_]+$/, maxLength: 200 },
      description:
        "Payment method ID (`pm_…`) that Stripe returned to the page. Required if `checkout` returns a `publishableKey`. In the live environment without a `publishableKey`, the ID that the platform's payment provider returned.",
    }),
    bankAccount: t.field({
      type: CheckoutBankAccountInput,
      rule: { nullable: true },
      description:
        'Bank account to debit. Use instead of `card`. Requires a bank debit in `instruments` of `checkout`.',
    }),
    savedMethod: t.field(savedMethodInput),
    billingAddress: t.field({
      type: PayerAddressInput,
      rule: { nullable: true },
      description:
        "Billing address. Replaces the customer's address. If omitted or `null`, the address doesn't change. Required if `requiresBillingCountry` of `checkout` is `true`.",
    }),
    phone: t.string({
      rule: { nullable: true, pattern: /^\+?[0-9 ().-]{5,30}$/ },
      description:
        'Phone number of the payer, added to the stored address. Ignored if `billingAddress` is set, because the address has its own phone number.',
    }),
    taxDocument: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 100 },
      description: "Tax ID. Replaces the customer's tax ID. If omitted or `null`, the tax ID doesn't change.",
    }),
    companyName: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 200 },
      description:
        "Name of the purchasing company, shown on invoices. Replaces the customer's `fullName` after payment. If omitted or `null`, the name doesn't change.",
    }),
    promoCode: t.string({
      rule: { ...reference, nullable: true },
      description:
        'Promo code, case-insensitive. An accepted code and its price remain applied to the checkout.',
    }),
    consent: t.boolean({
      rule: { nullable: true },
      description:
        "Whether the payer accepts the organization's terms. Must be `true` if the `settings` of the checkout require consent.",
    }),
  }),
});

builder.mutationField('checkoutPay', (t) =>
  t.field({
    type: CheckoutResult,
    description:
      "Pays an open checkout, or stores the card if no payment is due. After a decline, the payer can try again. Fails with `validation_error` if the card is invalid, or if `billingAddress.country` or a detail required by `settings` is missing. Fails with `forbidden` if promo codes are turned off.\n\nIf the offer shown at checkout no longer applies, nothing is charged. The checkout then shows the full price, and the payer confirms the full price by paying again. An offer no longer applies if the quote expired, the promo code reached its limit, or the card promotion doesn't cover the card. A card with a matching card promotion is charged less.",
    errors: [
      ['charge_failed', 'the charge is declined (`details.declineCode`)'],
      'promo_code_not_found',
      'promo_code_expired',
      [
        'offer_not_applicable',
        "the offer can't be applied (`details.reason`). If the card isn't covered by the promotion, `param` is `card` and `details.reason` is `card_not_eligible`",
      ],
      ['invalid_subscription_status', "the checkout isn't open"],
      'charge_in_progress',
      'payment_failed',
      'already_has_active_subscription',
      ['payment_method_not_found', "the checkout doesn't offer the stored card"],
      'provider_unsupported',
    ],
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutPayInput, required: true }) },
    resolve: (
      _root,
      {
        input: {
          card,
          paymentMethod,
          bankAccount,
          savedMethod,
          billingAddress,
          phone,
          taxDocument,
          companyName,
          promoCode,
          consent,
        },
      },
      ctx,
    ) =>
      payCheckout(ctx, {
        subscriptionId: checkoutSubject(ctx),
        card,
        paymentMethod,
        bankAccount,
        savedMethod,
        billingAddress: billingAddress ? payerAddressOf(billingAddress) : null,
        phone,
        taxDocument,
        companyName,
        promoCode,
        consent,
      }),
  }),
);

const CheckoutAuthenticateInput = builder.inputType('CheckoutAuthenticateInput', {
  description: 'Parameters for completing an authentication at checkout.',
  fields: (t) => ({
    token: t.string(token),
    succeed: t.boolean({ required: true, description: 'Whether the payer authenticated successfully.' }),
  }),
});

builder.mutationField('checkoutAuthenticate', (t) =>
  t.field({
    type: CheckoutResult,
    description: 'Completes the pending authentication of a payment at checkout.',
    errors: [
      ['charge_failed', 'the authentication failed'],
      'already_has_active_subscription',
      ['payment_not_found', 'no authentication is pending'],
      ['invalid_subscription_status', "the checkout isn't open"],
      'promo_code_not_found',
      'promo_code_expired',
      'offer_not_applicable',
    ],
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutAuthenticateInput, required: true }) },
    resolve: (_root, { input: { succeed } }, ctx) =>
      authenticateCheckout(ctx, { subscriptionId: checkoutSubject(ctx), succeed }),
  }),
);

const CheckoutUpdateInput = builder.inputType('CheckoutUpdateInput', {
  description: "Parameters for updating an open checkout. Omitted fields don't change.",
  fields: (t) => ({
    token: t.string(token),
    billingInterval: t.field({
      type: BillingInterval,
      description: "New billing interval. Must be one of the checkout's `intervals`.",
    }),
    seats: t.field({
      type: 'CountMap',
      description:
        "Number of seats by feature code, for the features in the checkout's `seats`. From 0 to 1,000,000.",
    }),
    locale: t.field({
      type: Language,
      description: "New language of the checkout. Must be one of the checkout's `locales`.",
    }),
  }),
});

builder.mutationField('checkoutUpdate', (t) =>
  t.field({
    type: Checkout,
    description:
      "Changes the interval, seats, or language of an open checkout. The first invoice and the quote are recalculated. The card isn't charged. If the request fails, the checkout doesn't change.",
    errors: [
      [
        'invalid_subscription_status',
        "the checkout isn't open, or if the checkout continues an earlier subscription, because the price and seats of an earlier subscription can't be changed",
      ],
      'charge_in_progress',
      'price_not_found',
      'missing_regional_price',
      'feature_not_found',
      'feature_not_in_plan',
      'feature_disabled',
      'included_limit_reached',
      ['offer_not_applicable', "the checkout's offer doesn't cover the change"],
      'promo_code_not_found',
      'promo_code_expired',
    ],
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutUpdateInput, required: true }) },
    resolve: (_root, { input: { billingInterval, seats, locale } }, ctx) =>
      updateCheckout(ctx, checkoutSubject(ctx), { billingInterval, seats, locale }),
  }),
);
