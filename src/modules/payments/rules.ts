import type { PaymentTerms } from '../../domain/payments/payment.ts';

/** What a caller says of a payment, in minor units of the currency. */
type TermsInput = {
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly metadata?: Record<string, string> | null | undefined;
};

/** The terms of a new payment under an id. */
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
