import { type Context, inTransaction, nextSeq, recordEvents } from '../../context.ts';
import { paymentLinkEvent } from '../../domain/payment/event-data.ts';
import { newPayment, type PaymentTerms } from '../../domain/payment/payment.ts';
import { untaxed } from '../../domain/tax.ts';
import { executeOne } from '../../engine/execute.ts';
import { insertRows } from '../../infra/bulk.ts';
import { newId } from '../../infra/ids.ts';
import { requireCustomer } from '../customers/service.ts';
import { type PaymentRow, requirePayment } from './service.ts';
import { termsOf } from './terms.ts';

/** What a link asks money for: minor units of the currency before tax, at least 1. */
export type CreatePaymentInput = {
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  /** Our id of the customer, else its external id. */
  readonly customerId?: string | null | undefined;
  readonly successUrl?: string | null | undefined;
  readonly metadata?: Record<string, string> | null | undefined;
};

/**
 * Makes a payment link (PAY-2), taxed at once when its customer is known, and sends `payment_link.created`. Throws `customer_not_found`, and
 * `payment_failed` when the tax cannot be worked out.
 */
export async function createPayment(context: Context, input: CreatePaymentInput): Promise<PaymentRow> {
  const terms = termsOf(newId('pay'), input);
  const successUrl = input.successUrl ?? null;
  if (input.customerId == null) await createUnassigned(context, terms, successUrl);
  else {
    const customer = await requireCustomer(context, input.customerId, 'customerId');
    await executeOne(context, customer.id, { kind: 'payment.create', ...terms, successUrl });
  }
  return requirePayment(context, terms.paymentId);
}

/** A link without customer is a row of its own until it is paid. */
const createUnassigned = (context: Context, terms: PaymentTerms, successUrl: string | null): Promise<void> =>
  inTransaction(context, async (tx) => {
    const now = tx.clock.now();
    const about = { kind: 'link', customerId: null, successUrl, tax: untaxed } as const;
    const payment = newPayment(terms, about, now);
    await insertRows(tx.sql, 'Payment', [{ ...payment, seq: await nextSeq(tx) }]);
    await recordEvents(tx, [{ ...paymentLinkEvent('payment_link.created', payment, null), customerId: null, occurredAt: now }]);
  });
