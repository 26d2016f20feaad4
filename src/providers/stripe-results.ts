import Stripe from 'stripe';
import type { ChargeResult } from '../domain/payments/provider.ts';

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

/**
 * Returns a decline with Stripe's code and message, which the payer sees unchanged (PAY-16). If authentication is required, returns `requires_action`
 * instead.
 */
function failed(failure: Failure | null): ChargeResult {
  const code = failure?.decline_code ?? failure?.code ?? 'card_declined';
  if (code === 'authentication_required') return requiresAction;
  return declined(code, failure?.message ?? 'The charge was declined.');
}

/** Returns the result with Stripe's payment ID. */
const of = (reference: string | undefined, result: ChargeResult): ChargeResult =>
  reference === undefined || result.status === 'unknown' ? result : { ...result, reference };

export const intentResult = (intent: Stripe.PaymentIntent): ChargeResult =>
  of(intent.id, paymentResult(intent));

function paymentResult({ status, last_payment_error }: Stripe.PaymentIntent): ChargeResult {
  if (status === 'succeeded') return settled;
  if (status === 'requires_action' || status === 'requires_confirmation') return requiresAction;
  if (status === 'requires_payment_method') return failed(last_payment_error);
  if (status === 'canceled') return declined('canceled', 'The charge was canceled.');
  return unknown;
}

export function setupResult({ status, last_setup_error }: Stripe.SetupIntent): ChargeResult {
  if (status === 'succeeded') return settled;
  if (status === 'requires_action' || status === 'requires_confirmation') return requiresAction;
  if (status === 'requires_payment_method') return failed(last_setup_error);
  if (status === 'canceled') return declined('canceled', 'The card setup was canceled.');
  return unknown;
}

export function refundResult({ status, failure_reason: reason }: Stripe.Refund): ChargeResult {
  if (status === 'succeeded') return settled;
  if (status === 'requires_action') return requiresAction;
  if (status === 'failed' || status === 'canceled') return declined(reason ?? status, 'The refund failed.');
  return unknown;
}

/**
 * Converts a payment or setup error to a result. A declined card, a missing payment method and an unsupported amount or currency are declines. All
 * other errors, such as timeouts, rate limits and invalid keys, are `unknown` because the payment may have succeeded.
 */
export function errorResult(error: unknown): ChargeResult {
  if (error instanceof Stripe.errors.StripeCardError) return of(error.payment_intent?.id, failed(error));
  const isGone =
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
  if (isGone && (error.param === 'payment_method' || error.param === 'customer')) {
    return declined(
      'payment_method_unusable',
      'The stored payment method can no longer be used. Use another payment method.',
    );
  }
  const isRejected =
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    (error.param === 'amount' || error.param === 'currency');
  if (isRejected) return declined(error.code ?? `invalid_${error.param}`, error.message);
  return unknown;
}

/**
 * Converts a refund error to a result. A refund that Stripe rejects, for example because the payment is disputed, is a decline with Stripe's code and
 * message. All other errors are `unknown`.
 */
export function refundErrorResult(error: unknown): ChargeResult {
  const isRejected = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;
  return isRejected ? declined(error.code ?? 'refund_refused', error.message) : unknown;
}
