import { builder } from '../../graphql/builder.ts';
import { reference } from '../../graphql/shapes.ts';
import { payerAddressOf } from '../customers/store.ts';
import { PayerAddressInput } from '../customers/types.ts';
import { Language } from '../organizations/types/organization.ts';
import { BillingInterval } from '../plans/enums.ts';
import { authenticateCheckout } from './authenticate.ts';
import { checkoutSubject } from './load.ts';
import { payCheckout } from './pay.ts';
import { Checkout } from './types/checkout.ts';
import { CheckoutResult } from './types/result.ts';
import { savedMethodInput } from './types/saved-method.ts';
import { updateCheckout } from './update.ts';

const token = { required: true, description: 'The last part of the checkout address.' } as const;

export const CheckoutCardInput = builder.inputType('CheckoutCardInput', {
  description: 'A card as the payer types it in; it is vaulted, never stored.',
  fields: (t) => ({
    number: t.string({
      required: true,
      rule: { maxLength: 40 },
      description: '12 to 19 digits; spaces and hyphens are ignored.',
    }),
    expMonth: t.field({ type: 'Int', required: true, description: '1 to 12.' }),
    expYear: t.field({ type: 'Int', required: true, description: 'Four digits.' }),
    cvc: t.string({ required: true, rule: { maxLength: 10 }, description: '3 or 4 digits.' }),
  }),
});

const CheckoutPayInput = builder.inputType('CheckoutPayInput', {
  description: 'A payment at the checkout.',
  fields: (t) => ({
    token: t.string(token),
    card: t.field({
      type: CheckoutCardInput,
      description: "The card, where `checkout` shows no `publishableKey`: the platform's own processor.",
    }),
    paymentMethod: t.string({
      rule: { pattern: /^pm_[A-Za-z0-9_]+$/, maxLength: 200 },
      description:
        'What Stripe gave the page for the card it collected, `pm_…`, where `checkout` shows a `publishableKey`; in live mode without one, what the provider gave.',
    }),
    savedMethod: t.field(savedMethodInput),
    billingAddress: t.field({
      type: PayerAddressInput,
      rule: { nullable: true },
      description:
        "Replaces the customer's address; it stays when absent or null. Needed where `checkout` says `requiresBillingCountry`.",
    }),
    phone: t.string({
      rule: { nullable: true, pattern: /^\+?[0-9 ().-]{5,30}$/ },
      description:
        'The telephone number of the payer, added to the address on file. Without effect beside a `billingAddress`, which has its own.',
    }),
    taxDocument: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 100 },
      description: "Replaces the customer's tax number; it stays when absent or null.",
    }),
    companyName: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 200 },
      description:
        'The name of the company that buys: invoices are made out to it. Replaces the `fullName` of the customer once it is paid; that stays when absent or null.',
    }),
    promoCode: t.string({
      rule: { ...reference, nullable: true },
      description:
        'A promo code, in any case; none when absent or null. Once taken it stays with the checkout, and its price with it.',
    }),
    consent: t.boolean({
      rule: { nullable: true },
      description:
        'Whether the payer accepts the terms of the seller; true is needed where the `settings` of the checkout ask for it.',
    }),
  }),
});

builder.mutationField('checkoutPay', (t) =>
  t.field({
    type: CheckoutResult,
    description:
      'Pays an open checkout, or stores the card where nothing is due. A decline is `charge_failed` with `details.declineCode` and can be tried again; `validation_error` for the card, a missing `billingAddress.country` and what the `settings` of the checkout ask for, `forbidden` for a promo code where they take none, `payment_method_not_found` for a stored card that is not offered, `promo_code_not_found`, `promo_code_expired` and `offer_not_applicable` for the promo code with `details.reason`. When the offer the checkout shows is lost – its quote expired, its code was used up, or its promotion is not for the card (`offer_not_applicable`, `param` `card`, `details.reason` `card_not_eligible`) – nothing is charged, the checkout shows the full price, and paying again confirms it. A card of a promotion that is found by cards is charged less. `invalid_subscription_status` once the checkout is over, `charge_in_progress`.',
    errors: [
      'charge_failed',
      'promo_code_not_found',
      'promo_code_expired',
      'offer_not_applicable',
      'invalid_subscription_status',
      'charge_in_progress',
      'payment_failed',
      'payment_method_not_found',
      'provider_unsupported',
    ],
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutPayInput, required: true, description: 'The payment.' }) },
    resolve: (
      _root,
      {
        input: {
          card,
          paymentMethod,
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
  description: 'How an authentication at the checkout ended.',
  fields: (t) => ({
    token: t.string(token),
    succeed: t.boolean({ required: true, description: 'Whether the payer passed it.' }),
  }),
});

builder.mutationField('checkoutAuthenticate', (t) =>
  t.field({
    type: CheckoutResult,
    description:
      'Ends the authentication a payment at the checkout waits for. Failed, it is a decline: `charge_failed`. `payment_not_found` when none is awaited, `invalid_subscription_status` once the checkout is over.',
    errors: [
      'charge_failed',
      'payment_not_found',
      'invalid_subscription_status',
      'promo_code_not_found',
      'promo_code_expired',
      'offer_not_applicable',
    ],
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutAuthenticateInput, required: true, description: 'How it ended.' }) },
    resolve: (_root, { input: { succeed } }, ctx) =>
      authenticateCheckout(ctx, { subscriptionId: checkoutSubject(ctx), succeed }),
  }),
);

const CheckoutUpdateInput = builder.inputType('CheckoutUpdateInput', {
  description: 'Changes to an open checkout; what is left out stays.',
  fields: (t) => ({
    token: t.string(token),
    billingInterval: t.field({
      type: BillingInterval,
      rule: { nullable: true },
      description: 'One of `intervals` of the checkout.',
    }),
    seats: t.field({
      type: 'CountMap',
      rule: { nullable: true },
      description: 'Seats by `featureCode` of `seats` of the checkout.',
    }),
    locale: t.field({
      type: Language,
      rule: { nullable: true },
      description: 'One of `locales` of the checkout.',
    }),
  }),
});

builder.mutationField('checkoutUpdate', (t) =>
  t.field({
    type: Checkout,
    description:
      'Changes the interval, the seats or the language of an open checkout and answers it; its first invoice and its quote are made again. Nothing is charged. `invalid_subscription_status` once the checkout is over or what it is for is settled, `charge_in_progress` while it is being paid, `price_not_found` and `missing_regional_price` for the interval, `feature_not_found`, `feature_not_in_plan`, `feature_disabled` and `included_limit_reached` for the seats, `promo_code_not_found`, `promo_code_expired` and `offer_not_applicable` where the offer of the checkout does not hold for the change; then nothing changes.',
    errors: [
      'invalid_subscription_status',
      'charge_in_progress',
      'price_not_found',
      'missing_regional_price',
      'feature_not_found',
      'feature_not_in_plan',
      'feature_disabled',
      'included_limit_reached',
      'offer_not_applicable',
      'promo_code_not_found',
      'promo_code_expired',
    ],
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input: { billingInterval, seats, locale } }, ctx) =>
      updateCheckout(ctx, checkoutSubject(ctx), { billingInterval, seats, locale }),
  }),
);
