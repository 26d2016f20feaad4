import { digitsOf, expiryOf } from '../parts/card-number.ts';
import type { SavedInput, SavedMethod } from '../parts/use-card.ts';
import { acting } from './late.ts';
import { Said } from './service.ts';
import type { StripeCode } from './stripe-code.ts';
import { typed } from './typed.ts';

/** The card as the service wants it. */
export const typedCard = () => ({
  number: digitsOf(typed('number')),
  ...expiryOf(typed('expiry')),
  cvc: typed('cvc'),
});

/** A stored card and its code as the service wants them. Throws what Stripe says is wrong with the code. */
export async function savedCard(
  { paymentMethodId, publishableKey }: SavedMethod,
  openingCode: Promise<StripeCode> | null,
): Promise<SavedInput> {
  if (publishableKey === null) return { savedMethod: { paymentMethodId, cvc: typed('cvc') } };
  const code = await openingCode?.catch(() => null);
  if (code == null) throw new Said((await acting()).said.cardFieldsMissing);
  return { savedMethod: { paymentMethodId, cvc: await code.token() } };
}
