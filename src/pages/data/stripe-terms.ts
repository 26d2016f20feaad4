import { stripeAmount, stripeStep } from '../../domain/money/stripe-amounts.ts';

/** Amount to charge in minor units. 0 if the payment method is only stored. */
export type Due = {
  readonly amount: number;
  readonly currency: string;
  /** True if the payment method is charged once and not stored. */
  readonly isOneOff?: boolean;
};

/**
 * Returns the payment settings for Stripe: a payment if an amount is charged now, otherwise a setup. The amount is rounded down to the smallest amount
 * that Stripe charges, as the service rounds it. Stripe rejects a payment of 0. Only cards and wallets that return a card (Apple Pay, Google Pay) are
 * offered, because the service must be able to store them and charge them later without the customer. Link and other methods are excluded, because they
 * can return a bank account, a loan or a single-use card.
 */
export function termsOf({ amount, currency, isOneOff = false }: Due): object {
  const charged = amount - (amount % Number(stripeStep(currency)));
  return {
    ...(charged > 0
      ? { mode: 'payment', amount: stripeAmount(BigInt(charged), currency) }
      : { mode: 'setup' }),
    currency,
    // With `off_session`, Stripe shows its own statement about storing the card.
    setupFutureUsage: isOneOff ? null : 'off_session',
    paymentMethodTypes: ['card'],
  };
}
