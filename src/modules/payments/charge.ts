import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { newId } from '../../infra/ids.ts';
import { requireCustomer } from '../customers/service.ts';
import { paymentLeft } from './attempts.ts';
import { type PaymentRow, rereadPayment } from './service.ts';
import { termsOf } from './terms.ts';

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
export async function chargePayment(context: Context, input: ChargePaymentInput): Promise<PaymentRow> {
  const customer = await requireCustomer(context, input.customerId, 'customerId');
  const terms = termsOf((await paymentLeft(context)) ?? newId('pay'), input);
  await executeOne(context, customer.id, { kind: 'payment.charge', ...terms });
  return rereadPayment(context, terms.paymentId);
}
