// Invoices that the customer pays, because no stored payment method can be charged (INS-24).
import { amountDue } from '../../invoicing/credit-note.ts';
import { misfitOf } from '../../payments/instruments/effective.ts';
import { instrumentOf } from '../../payments/instruments/registry.ts';
import type { InvoiceRow, PaymentMethodRow, SubscriptionRow } from '../../rows/rows.ts';
import { addDays, hourMs, later, nextMidnight, utcMidnight } from '../../time/period.ts';
import { requestCharge } from '../invoicing/charging.ts';
import { isBeingCollected } from '../pricing/lookup.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';

/** Time after 00:00 UTC at which an unpaid invoice fails on the day after its due date. */
const failsAfterMs = 6 * hourMs;

/**
 * Returns true if the customer can pay an invoice on its payment page: the invoice is in dunning, pays a reactivation, was left to the
 * customer, or is for credits whose bank debit failed.
 */
export const isPayable = (
  subscription: Pick<SubscriptionRow, 'status' | 'dunningInvoiceId'>,
  { id, status, type, payableUntil }: Pick<InvoiceRow, 'id' | 'status' | 'type' | 'payableUntil'>,
): boolean => {
  const isWanted =
    subscription.status === 'canceled' ? type === 'reactivation' : subscription.dunningInvoiceId === id;
  // An invoice for credits is outstanding only while it's charged, or after its bank debit failed (INS-35).
  return status === 'outstanding' && (isWanted || payableUntil !== null || type === 'credit_purchase');
};

/**
 * Leaves an invoice to the customer. The invoice can be paid on its payment page until the due date. Returns false if the
 * organization charges stored payment methods only.
 */
export function leaveToPayer(
  draft: Draft,
  subscription: SubscriptionRow,
  { id, issueDate }: InvoiceRow,
): boolean {
  const { collectByPayer, collectionDueDays } = draft.aggregate.environment;
  if (!collectByPayer) return false;
  const dueDate = later(addDays(issueDate, collectionDueDays), utcMidnight(draft.now));
  const payableUntil = new Date(nextMidnight(dueDate).getTime() + failsAfterMs);
  const invoice = draft.invoices.patch(id, { dueDate, payableUntil });
  draft.schedule(deadline(subscription, 'payment_due', payableUntil, id, { invoiceId: id }));
  scheduleOverdue(draft, subscription, invoice);
  return true;
}

/** Leaves an invoice to the customer if its stored payment method can't be charged for it. Returns false if it wasn't left. */
export function leaveUncharged(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  method: PaymentMethodRow | null,
): boolean {
  const charge = {
    currency: invoice.currency,
    country: draft.customer.country,
    amountMinor: amountDue(invoice),
  };
  const isChargeable = method !== null && misfitOf(instrumentOf(method.instrument), charge) === null;
  return !isChargeable && leaveToPayer(draft, subscription, invoice);
}

/** Charges the invoices that were left to the customer to a payment method that was just stored (INS-E13). */
export function chargeLeft(draft: Draft, subscription: SubscriptionRow, method: PaymentMethodRow): void {
  for (const invoice of draft.invoices.all()) {
    const isLeft =
      invoice.subscriptionId === subscription.id &&
      invoice.payableUntil !== null &&
      isPayable(subscription, invoice) &&
      invoice.id !== subscription.dunningInvoiceId;
    if (!isLeft || isBeingCollected(draft, invoice.id)) continue;
    draft.unschedule(deadlineId('payment_due', subscription.id, invoice.id));
    const charged = draft.invoices.patch(invoice.id, { payableUntil: null });
    requestCharge(draft, subscription, charged, method, false);
  }
}
