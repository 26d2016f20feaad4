import type { PaymentTerms } from '../../../domain/payments/payment.ts';

/** Terms of a one-time payment in a request. `amount` is in minor units of the currency. */
type TermsInput = {
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly metadata?: Record<string, string> | null | undefined;
};

/** Returns the terms of a new payment with the given ID. */
export const termsOf = (
  paymentId: string,
  { amount, currency, description, metadata }: TermsInput,
): PaymentTerms => ({
  paymentId,
  subtotalMinor: BigInt(amount),
  currency,
  description,
  metadata: metadata ?? null,
});
