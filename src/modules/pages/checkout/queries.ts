import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { demandPromoCodes } from './check-order.ts';
import { checkoutSubject, loadCheckout } from './load.ts';
import { quoteFor } from './quote.ts';
import { Checkout } from './types/checkout.ts';
import { CheckoutQuote } from './types/quote.ts';

builder.queryField('checkout', (t) =>
  t.field({
    type: Checkout,
    description: 'Returns the checkout for a page token. Fails with `unauthorized` if the token is invalid.',
    access: { page: 'checkout' },
    args: {
      token: t.arg.string({
        required: true,
        description: 'Token from the checkout URL (the last path segment).',
      }),
    },
    resolve: (_root, _args, ctx) => loadCheckout(ctx, checkoutSubject(ctx)),
  }),
);

const CheckoutQuoteInput = builder.inputType('CheckoutQuoteInput', {
  description: 'Parameters for calculating the price of a checkout.',
  fields: (t) => ({
    token: t.string({
      required: true,
      description: 'Token from the checkout URL (the last path segment).',
    }),
    country: t.string({
      rule: { format: 'country', nullable: true },
      description:
        "Country of the payer, as an uppercase ISO 3166-1 alpha-2 code. Defaults to the customer's country.",
    }),
    state: t.string({
      rule: { maxLength: 200, nullable: true },
      description: 'State or province of the payer. Required if the tax depends on the state or province.',
    }),
    taxDocument: t.string({
      rule: { minLength: 1, maxLength: 100, nullable: true },
      description: "Tax ID of the payer. Defaults to the customer's tax ID.",
    }),
    promoCode: t.string({
      rule: { ...reference, nullable: true },
      description: 'Promo code to include in the quote. Case-insensitive.',
    }),
  }),
});

builder.queryField('checkoutQuote', (t) =>
  t.field({
    type: CheckoutQuote,
    description:
      "Returns a quote for an open checkout, based on the payer's address and an optional promo code. The quote contains the price, line items, discount, tax, total, and next charge, in the currency of the country. Quotes are calculated like payments but aren't stored. A card with a matching card promotion can be charged less. Fails with `forbidden` if promo codes are turned off.",
    errors: [
      ['payment_failed', 'the tax requires a state (`details.reason` is `tax_not_computed`)'],
      'promo_code_not_found',
      'promo_code_expired',
      'offer_not_applicable',
      'missing_regional_price',
      ['invalid_subscription_status', "the checkout isn't open"],
    ],
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutQuoteInput, required: true }) },
    resolve: async (_root, { input: { country, state, taxDocument, promoCode } }, ctx) => {
      await demandPromoCodes(ctx, promoCode);
      const place = { line1: '', line2: null, city: '', postalCode: '', state: state ?? null, region: null };
      return quoteFor(ctx, checkoutSubject(ctx), {
        billingAddress: country ? { ...place, country } : null,
        taxDocument: taxDocument ?? null,
        promoCode: promoCode ?? null,
      });
    },
  }),
);
