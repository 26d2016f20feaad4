import { builder } from '../../graphql/builder.ts';
import { reference } from '../../graphql/shapes.ts';
import { demandPromoCodes } from './check-order.ts';
import { checkoutSubject, loadCheckout } from './load.ts';
import { quoteFor } from './quote.ts';
import { Checkout } from './types/checkout.ts';
import { CheckoutQuote } from './types/quote.ts';

builder.queryField('checkout', (t) =>
  t.field({
    type: Checkout,
    description: 'The checkout a page token stands for; `unauthorized` for a token that was not issued here.',
    access: { page: 'checkout' },
    args: { token: t.arg.string({ required: true, description: 'The last part of the checkout address.' }) },
    resolve: (_root, _args, ctx) => loadCheckout(ctx, checkoutSubject(ctx)),
  }),
);

const CheckoutQuoteInput = builder.inputType('CheckoutQuoteInput', {
  description: 'What a payer has typed in to date.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'The last part of the checkout address.' }),
    country: t.string({
      rule: { format: 'country', nullable: true },
      description: 'Upper-case ISO 3166-1 alpha-2 code. Defaults to the customer’s.',
    }),
    state: t.string({
      rule: { maxLength: 200, nullable: true },
      description: 'State or province of that country.',
    }),
    taxDocument: t.string({
      rule: { minLength: 1, maxLength: 100, nullable: true },
      description: 'Tax number. Defaults to the customer’s.',
    }),
    promoCode: t.string({
      rule: { ...reference, nullable: true },
      description: 'A promo code, in any case.',
    }),
  }),
});

builder.queryField('checkoutQuote', (t) =>
  t.field({
    type: CheckoutQuote,
    description:
      'What a payer at an address would pay at an open checkout, computed as a payment computes it and not stored: price, lines, discount, tax, total and next charge, all in the currency of the country, with a promo code. A card a promotion is for can be charged less. `payment_failed` with `details.reason` `tax_not_computed` where the tax needs a state, `promo_code_not_found`, `promo_code_expired`, `offer_not_applicable`, `missing_regional_price`, `forbidden` for a promo code where the seller takes none, `invalid_subscription_status` once the checkout is over.',
    errors: [
      'payment_failed',
      'promo_code_not_found',
      'promo_code_expired',
      'offer_not_applicable',
      'missing_regional_price',
      'invalid_subscription_status',
    ],
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutQuoteInput, required: true, description: 'What was typed in.' }) },
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
