import { digitsOf, expiryOf } from '../parts/card-number.ts';
import type { SavedInput, SavedMethod } from '../parts/use-card.ts';
import { typed } from './field-values.ts';
import { loadCode } from './lazy-code.ts';
import { DisplayedError } from './service.ts';
import type { StripeCode } from './stripe-code.ts';

/** Returns the entered card as input for the service. */
export const typedCard = () => ({
  number: digitsOf(typed('number')),
  ...expiryOf(typed('expiry')),
  cvc: typed('cvc'),
});

/** Returns the saved card and its security code as input for the service. Throws Stripe's error about the code. */
export async function savedCard(
  { paymentMethodId, publishableKey }: SavedMethod,
  openingCode: Promise<StripeCode> | null,
): Promise<SavedInput> {
  if (publishableKey === null) return { savedMethod: { paymentMethodId, cvc: typed('cvc') } };
  const code = await openingCode?.catch(() => null);
  if (code == null) throw new DisplayedError((await loadCode()).words.cardFieldsMissing);
  return { savedMethod: { paymentMethodId, cvc: await code.token() } };
}
