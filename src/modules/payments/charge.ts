import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { newId } from '../../platform/ids.ts';
import { requireCustomer } from '../customers/store.ts';
import { termsOf } from './rules.ts';
import { type PaymentRow, paymentLeft, rereadPayment } from './store.ts';

/** What a customer is charged for: minor units of the currency before tax, at least 1. */
export type ChargePaymentInput = {
  /** Our id of the customer, else its external id. */
  readonly customerId: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly metadata?: Record<string, string> | null | undefined;
};

/**
 * Charges a stored method of a customer (PAY-7). A decline throws `payment_failed` with `details.declineCode` and `details.paymentId`, after
 * the failed payment has been recorded; a method that wants authentication the same with `details.reason` `requires_action`. Throws
 * `customer_not_found` and `no_payment_method`. While the gateway has not answered the payment is `processing`.
 */
export async function chargePayment(ctx: Context, input: ChargePaymentInput): Promise<PaymentRow> {
  const customer = await requireCustomer(ctx, input.customerId, 'customerId');
  const terms = termsOf((await paymentLeft(ctx)) ?? newId('pay'), input);
  await executeOne(ctx, customer.id, { kind: 'payment.charge', ...terms });
  return rereadPayment(ctx, terms.paymentId);
}
