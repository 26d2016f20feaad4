// Payment with a saved card on a page that anyone with the link can open (PAY-41). The payer must enter the
// security code to prove that they have the card.

import { defaultRejection, type Rejection } from '../../errors/errors.ts';
import type { PaymentMethodRow } from '../../rows/rows.ts';
import { storedMethods } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Saved payment method that the payer chose, with its security code. On a connected account, `securityCode` is a
 * Stripe token. The code is never stored.
 */
export type SavedMethod = { readonly methodId: string; readonly securityCode: string };

/** Number of wrong security codes after which the saved card is no longer offered. */
const maxWrongCodes = 3;

/** Decline code for a wrong security code. */
const wrongCode = 'incorrect_cvc';

/**
 * Returns the number of times that the payer can still enter a wrong security code before the saved card is no longer
 * offered.
 */
export const codesLeft = (wrongCodes: number | undefined): number =>
  Math.max(0, maxWrongCodes - (wrongCodes ?? 0));

/** Returns the number of wrong security codes entered so far, including the given decline. */
export const wrongCodesAfter = (
  wrongCodes: number | undefined,
  declineCode: string,
  isSavedMethod: boolean,
): number => (wrongCodes ?? 0) + (isSavedMethod && declineCode === wrongCode ? 1 : 0);

/** Returns true if the provider can check a security code without a payment. Stripe can't. */
export const isCodeCheckedAtSetup = ({ provider }: Pick<PaymentMethodRow, 'provider'>): boolean =>
  provider !== 'stripe';

/** Rejection for a saved payment method that is no longer offered. */
export const savedMethodGone: Rejection = defaultRejection('payment_method_not_found', {
  param: 'savedMethod',
});

/**
 * Returns the saved payment method that the payer chose. Rejects payment methods that were removed, and all payment
 * methods after too many wrong security codes.
 */
export function savedMethodOf(
  draft: Draft,
  { methodId }: SavedMethod,
  wrongCodes: number | undefined,
): PaymentMethodRow | Rejection {
  const method = storedMethods(draft).find(({ id }) => id === methodId);
  return method === undefined || codesLeft(wrongCodes) === 0 ? savedMethodGone : method;
}
