// A stored card at a page that everybody who has its link can open (PAY-41): its security code shows that the
// payer holds it.

import { defaultRejection, type Rejection } from '../../errors.ts';
import { storedMethods } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import type { PaymentMethodRow } from '../state/rows.ts';

/**
 * A stored method a payer chose at a page, and the security code typed in for it, at an account of Stripe its token; the
 * code is never stored.
 */
export type SavedMethod = { readonly methodId: string; readonly securityCode: string };

/** Wrong codes after which a link offers the stored card no more. */
export const mostWrongCodes = 3;

/** How a processor declines a wrong security code. */
const wrongCode = 'incorrect_cvc';

/** How many wrong codes a link takes until it offers the stored card no more. */
export const codesLeft = (wrongCodes: number | undefined): number =>
  Math.max(0, mostWrongCodes - (wrongCodes ?? 0));

/** How many wrong codes were typed in at a link, with the one a decline may be about. */
export const wrongCodesAfter = (
  wrongCodes: number | undefined,
  declineCode: string,
  isSavedMethod: boolean,
): number => (wrongCodes ?? 0) + (isSavedMethod && declineCode === wrongCode ? 1 : 0);

/** Whether a method can be set up by its code without a payment: Stripe checks a code with a payment only. */
export const isCodeCheckedAtSetup = ({ provider }: Pick<PaymentMethodRow, 'provider'>): boolean =>
  provider !== 'stripe';

/** Rejects a stored method that this link does not offer. */
export const savedMethodGone: Rejection = defaultRejection('payment_method_not_found', {
  param: 'savedMethod',
});

/** The stored method a payer chose. Rejects one that is gone, and every one of a link with too many wrong codes. */
export function savedMethodOf(
  draft: Draft,
  { methodId }: SavedMethod,
  wrongCodes: number | undefined,
): PaymentMethodRow | Rejection {
  const method = storedMethods(draft).find(({ id }) => id === methodId);
  return method === undefined || codesLeft(wrongCodes) === 0 ? savedMethodGone : method;
}
