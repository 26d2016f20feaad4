import { expect, test } from 'vitest';
import { chargeableBy } from '../../src/domain/payments/amount-step.ts';
import { termsOf } from '../../src/pages/data/stripe-terms.ts';

// Settings of Stripe's fields: Stripe accepts only amounts with a last digit of 0 in currencies with 3 decimals.

test.each([
  [12_345, 'kwd', { mode: 'payment', amount: 12_340 }],
  [12_340, 'kwd', { mode: 'payment', amount: 12_340 }],
  [19, 'bhd', { mode: 'payment', amount: 10 }],
  [10, 'tnd', { mode: 'payment', amount: 10 }],
  [9, 'kwd', { mode: 'setup' }],
  [1, 'omr', { mode: 'setup' }],
  [0, 'jod', { mode: 'setup' }],
  [1_999, 'usd', { mode: 'payment', amount: 1_999 }],
  [1, 'usd', { mode: 'payment', amount: 1 }],
  [0, 'usd', { mode: 'setup' }],
  [1_999, 'jpy', { mode: 'payment', amount: 1_999 }],
  [1_999, 'isk', { mode: 'payment', amount: 199_900 }],
])('%i minor units in %s are shown to Stripe as %j', (amount, currency, terms) => {
  expect(termsOf({ amount, currency })).toEqual({
    ...terms,
    currency,
    setupFutureUsage: 'off_session',
    paymentMethodTypes: ['card'],
  });
});

test('the amount equals the amount that the service charges', () => {
  const shown = Array.from({ length: 40 }, (_none, amount) => termsOf({ amount, currency: 'kwd' }));
  const charged = shown.map((terms) => ('amount' in terms ? terms.amount : 0));
  expect(charged).toEqual(
    shown.map((_terms, amount) => Number(chargeableBy('stripe', 'kwd', BigInt(amount)))),
  );
});
