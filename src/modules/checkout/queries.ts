import { exponentOf } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';
import { reference } from '../../graphql/shapes.ts';
import { type CheckoutQuote as Quote, quoteFor } from './quote.ts';
import { checkoutSubject, loadCheckout } from './state.ts';
import { Checkout } from './types.ts';

builder.queryField('checkout', (t) =>
  t.field({
    type: Checkout,
    description: 'The checkout a page token stands for; `unauthorized` for a token that was not issued here.',
    access: { page: 'checkout' },
    args: { token: t.arg.string({ required: true, description: 'The last part of the checkout address.' }) },
    resolve: (_root, _args, context) => loadCheckout(context),
  }),
);

const CheckoutQuote = builder.objectRef<Quote>('CheckoutQuote').implement({
  description: 'What a payer would be charged at the checkout, minor units of `currency`.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code.' }),
    currencyDecimals: t.field({
      type: 'SafeInt',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    subtotal: t.expose('subtotal', { type: 'SafeInt', amount: 'MINOR', description: 'Before discount and tax.' }),
    discountAmount: t.expose('discountAmount', { type: 'SafeInt', amount: 'MINOR', description: 'Taken off.' }),
    taxAmount: t.expose('taxAmount', { type: 'SafeInt', amount: 'MINOR', description: 'Tax on what is left.' }),
    amountDue: t.expose('total', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is charged, tax included; 0 where a card is only stored.',
    }),
    publishableKey: t.string({
      nullable: true,
      description:
        "Names the account at Stripe that collects the card of a payer at the address; null where the platform's own rail takes it.",
      resolve: ({ connection }) => connection?.publishableKey ?? null,
    }),
  }),
});

const CheckoutQuoteInput = builder.inputType('CheckoutQuoteInput', {
  description: 'What a payer has typed in so far.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'The last part of the checkout address.' }),
    country: t.string({
      rule: { format: 'country', nullable: true },
      description: 'Upper-case ISO 3166-1 alpha-2 code; the customer’s unless told.',
    }),
    state: t.string({ rule: { maxLength: 200, nullable: true }, description: 'State or province of that country.' }),
    taxDocument: t.string({
      rule: { minLength: 1, maxLength: 100, nullable: true },
      description: 'Tax number; the customer’s unless told.',
    }),
    promoCode: t.string({ rule: { ...reference, nullable: true }, description: 'A promo code, in any case.' }),
  }),
});

builder.queryField('checkoutQuote', (t) =>
  t.field({
    type: CheckoutQuote,
    description:
      'What an open checkout would charge a payer at an address, worked out as paying would and not kept: tax, currency of the country, promo code. A card a promotion is for can be charged less. `payment_failed` with `details.reason` `tax_not_computed` where the tax needs a state, `promo_code_not_found`, `promo_code_expired`, `offer_not_applicable`, `missing_regional_price`, `invalid_subscription_status` once the checkout is over.',
    access: { page: 'checkout' },
    args: { input: t.arg({ type: CheckoutQuoteInput, required: true, description: 'What was typed in.' }) },
    resolve: (_root, { input: { country, state, taxDocument, promoCode } }, context) => {
      const place = { line1: '', line2: null, city: '', postalCode: '', state: state ?? null, region: null };
      return quoteFor(context, checkoutSubject(context), {
        billingAddress: country ? { ...place, country } : null,
        taxDocument: taxDocument ?? null,
        promoCode: promoCode ?? null,
      });
    },
  }),
);
