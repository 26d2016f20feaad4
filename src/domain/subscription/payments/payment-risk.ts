import type { MethodDetails } from '../../rows/rows.ts';
import { expiryOf } from '../schedule/notices.ts';

/** Reasons why an upcoming payment may fail. */
export const paymentRisks = [
  'no_method',
  'declined_last_time',
  'card_expired',
  'card_expires_before',
] as const;

export type PaymentRisk = (typeof paymentRisks)[number];

type ExpectedPayment = {
  /** Stored payment method. `null` if the customer has no stored payment method. */
  readonly method: Pick<MethodDetails, 'expMonth' | 'expYear'> | null;
  /** True if the last payment attempt of the subscription was declined. */
  readonly wasDeclined: boolean;
  readonly chargeAt: Date;
  readonly now: Date;
};

/** Returns the reason why an upcoming payment may fail. `null` if no risk is known. */
export function riskOf({ method, wasDeclined, chargeAt, now }: ExpectedPayment): PaymentRisk | null {
  if (method === null) return 'no_method';
  if (wasDeclined) return 'declined_last_time';
  const expiry = expiryOf(method);
  if (expiry <= now) return 'card_expired';
  return expiry <= chargeAt ? 'card_expires_before' : null;
}
