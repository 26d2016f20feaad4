import { executeOne } from '../../../engine/execute.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { termsOf } from './rules.ts';
import { type PaymentRow, paymentLeft, rereadPayment } from './store.ts';

/** Charge parameters. `amount` is the amount before tax in minor units, at least 1. */
export type ChargePaymentInput = {
  readonly customerId: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly metadata?: Record<string, string> | null | undefined;
};

/**
 * Charges a customer's stored payment method (PAY-7). A decline records a failed payment and throws `payment_failed` with
 * `details.declineCode` and `details.paymentId`. If the payment method requires authentication, `details.reason` is `requires_action`. The
 * payment is `processing` until the payment provider responds. Throws `customer_not_found` and `no_payment_method`.
 */
export async function chargePayment(ctx: Context, input: ChargePaymentInput): Promise<PaymentRow> {
  const customer = await requireCustomer(ctx, input.customerId, 'customerId');
  const terms = termsOf((await paymentLeft(ctx)) ?? newId('pay'), input);
  await executeOne(ctx, customer.id, { kind: 'payment.charge', ...terms });
  return rereadPayment(ctx, terms.paymentId);
}
