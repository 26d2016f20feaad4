// Payments by a stored card whose payer typed in its security code. Whether a wrong code is declined is up to the issuer and the rules of the
// account, so that money is only held at first: it is taken once Stripe says that the code was right.
import Stripe from 'stripe';
import type { ChargeResult } from '../domain/provider.ts';
import { errorResult, intentResult } from './stripe-results.ts';

/** How such a payment is asked for; `token` stands for the code, which only Stripe has seen. */
export const codeTerms = (token: string) =>
  ({
    allowed_payment_method_types: ['card'],
    payment_method_options: { card: { cvc_token: token } },
    confirmation_method: 'manual',
    capture_method: 'manual',
    expand: ['latest_charge'],
  }) satisfies Partial<Stripe.PaymentIntentCreateParams>;

/** What the issuer said about the code: `pass`, `fail`, `unavailable` or `unchecked`; null where the card was not asked. */
async function checkOf(
  stripe: Stripe,
  { latest_charge: latest }: Stripe.PaymentIntent,
): Promise<string | null> {
  if (latest === null) return null;
  const charge = typeof latest === 'string' ? await stripe.charges.retrieve(latest) : latest;
  return charge.payment_method_details?.card?.checks?.cvc_check ?? null;
}

/** A payment whose payer has authenticated goes on; every other stays as it is. */
const confirmed = async (stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> =>
  intent.status === 'requires_confirmation'
    ? stripe.paymentIntents.confirm(intent.id, { expand: ['latest_charge'] })
    : intent;

const wrongCode = (reference?: string): ChargeResult => ({
  status: 'declined',
  declineCode: 'incorrect_cvc',
  message: 'The security code is wrong.',
  ...(reference === undefined ? {} : { reference }),
});

/** What an error says about such a payment: a token that Stripe does not know, or knew once, is a wrong code. */
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
        message: 'The issuer of the card did not check its security code.',
        reference: intent.id,
      };
}

/** Takes what is held for a payment where the code was right, and gives it up where it was not; answers how the payment ended. */
export async function settleByCode(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<ChargeResult> {
  try {
    return await taken(stripe, await confirmed(stripe, intent));
  } catch (error) {
    return errorResult(error);
  }
}
