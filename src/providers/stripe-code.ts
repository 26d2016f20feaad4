// Payments with a stored card and its security code. Stripe doesn't always decline a wrong code, so the payment is first authorized without
// being captured. The payment is captured after the issuer has confirmed the code.
import Stripe from 'stripe';
import type { ChargeResult } from '../domain/payments/provider.ts';
import { errorResult, intentResult } from './stripe-results.ts';

/** Returns the Stripe parameters for a payment with a security code. `token` represents the code, so that only Stripe sees it. */
export const codeTerms = (token: string) =>
  ({
    allowed_payment_method_types: ['card'],
    payment_method_options: { card: { cvc_token: token } },
    confirmation_method: 'manual',
    capture_method: 'manual',
    expand: ['latest_charge'],
  }) satisfies Partial<Stripe.PaymentIntentCreateParams>;

/**
 * Returns the result of the issuer's security code check: `pass`, `fail`, `unavailable` or `unchecked`. `null` if the card wasn't charged.
 */
async function checkOf(
  stripe: Stripe,
  { latest_charge: latest }: Stripe.PaymentIntent,
): Promise<string | null> {
  if (latest === null) return null;
  const charge = typeof latest === 'string' ? await stripe.charges.retrieve(latest) : latest;
  return charge.payment_method_details?.card?.checks?.cvc_check ?? null;
}

/** Confirms the payment if the payer has authenticated it. Otherwise returns the payment unchanged. */
const confirmed = async (stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> =>
  intent.status === 'requires_confirmation'
    ? stripe.paymentIntents.confirm(intent.id, { expand: ['latest_charge'] })
    : intent;

const wrongCode = (reference?: string): ChargeResult => ({
  status: 'declined',
  declineCode: 'incorrect_cvc',
  message: 'The security code is incorrect.',
  ...(reference === undefined ? {} : { reference }),
});

/** Converts a Stripe error to a payment result. An unknown or expired security code token is treated as a wrong code. */
export function codeErrorResult(error: unknown): ChargeResult {
  const result = errorResult(error);
  const isRejected = result.status === 'unknown' && error instanceof Stripe.errors.StripeInvalidRequestError;
  return isRejected ? wrongCode() : result;
}

async function taken(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<ChargeResult> {
  const isHeld = intent.status === 'requires_capture';
  if (!isHeld && intent.status !== 'canceled') return intentResult(intent);
  const check = await checkOf(stripe, intent);
  if (check === 'pass' || (!isHeld && check === null))
    return intentResult(isHeld ? await stripe.paymentIntents.capture(intent.id) : intent);
  if (isHeld) await stripe.paymentIntents.cancel(intent.id);
  return check === 'fail'
    ? wrongCode(intent.id)
    : {
        status: 'declined',
        declineCode: 'cvc_not_checked',
        message: "The card issuer didn't check the security code. Use another card.",
        reference: intent.id,
      };
}

/** Captures the payment if the security code is correct, otherwise cancels it. Returns the result. */
export async function settleByCode(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<ChargeResult> {
  try {
    return await taken(stripe, await confirmed(stripe, intent));
  } catch (error) {
    return errorResult(error);
  }
}
