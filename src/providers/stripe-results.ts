import Stripe from 'stripe';
import type { ChargeResult } from '../domain/provider.ts';

const unknown: ChargeResult = { status: 'unknown' };
const settled: ChargeResult = { status: 'settled' };
const requiresAction: ChargeResult = { status: 'requires_action' };

const declined = (declineCode: string, message: string): ChargeResult => ({
  status: 'declined',
  declineCode,
  message,
});

type Failure = {
  readonly code?: string | undefined;
  readonly decline_code?: string | undefined;
  readonly message?: string | undefined;
};

/** A decline in Stripe's own words, which are shown as they are (PAY-16). An issuer that wants its cardholder is a wish for authentication. */
function failed(failure: Failure | null): ChargeResult {
  const code = failure?.decline_code ?? failure?.code ?? 'card_declined';
  if (code === 'authentication_required') return requiresAction;
  return declined(code, failure?.message ?? 'The charge was declined.');
}

/** An answer with what Stripe calls the payment. */
const of = (reference: string | undefined, result: ChargeResult): ChargeResult =>
  reference === undefined || result.status === 'unknown' ? result : { ...result, reference };

/** What a payment says about an attempt. */
export const intentResult = (intent: Stripe.PaymentIntent): ChargeResult =>
  of(intent.id, paymentResult(intent));

function paymentResult({ status, last_payment_error }: Stripe.PaymentIntent): ChargeResult {
  if (status === 'succeeded') return settled;
  if (status === 'requires_action' || status === 'requires_confirmation') return requiresAction;
  if (status === 'requires_payment_method') return failed(last_payment_error);
  if (status === 'canceled') return declined('canceled', 'The charge was taken back.');
  return unknown;
}

/** What a set-up says about an attempt. */
export function setupResult({ status, last_setup_error }: Stripe.SetupIntent): ChargeResult {
  if (status === 'succeeded') return settled;
  if (status === 'requires_action' || status === 'requires_confirmation') return requiresAction;
  if (status === 'requires_payment_method') return failed(last_setup_error);
  if (status === 'canceled') return declined('canceled', 'The set-up was taken back.');
  return unknown;
}

/** What a refund says about an attempt. */
export function refundResult({ status, failure_reason: reason }: Stripe.Refund): ChargeResult {
  if (status === 'succeeded') return settled;
  if (status === 'requires_action') return requiresAction;
  if (status === 'failed' || status === 'canceled')
    return declined(reason ?? status, 'The refund was not made.');
  return unknown;
}

/**
 * What an error says about an attempt that was made. A card that is declined is; a method Stripe no longer knows cannot be charged any more, and
 * an amount it takes from nobody, or not in that currency, never will be. Everything else – no answer, too many requests, a broken server, a
 * wrong key – says nothing about the money.
 */
export function errorResult(error: unknown): ChargeResult {
  if (error instanceof Stripe.errors.StripeCardError) return of(error.payment_intent?.id, failed(error));
  const isGone =
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
  if (isGone && (error.param === 'payment_method' || error.param === 'customer')) {
    return declined('payment_method_unusable', 'The stored payment method can no longer be used.');
  }
  const isRejected =
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    (error.param === 'amount' || error.param === 'currency');
  if (isRejected) return declined(error.code ?? `invalid_${error.param}`, error.message);
  return unknown;
}

/**
 * What an error says about a refund that was asked for. One that Stripe rejects to make, since the money is back already or contested, is
 * declined in Stripe's own words; everything else says nothing about the money.
 */
export function refundErrorResult(error: unknown): ChargeResult {
  const isRejected = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;
  return isRejected ? declined(error.code ?? 'refund_refused', error.message) : unknown;
}
