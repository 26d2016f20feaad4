// What an invoice's status change by hand means for its subscription (BIL-25, BIL-26).
import { paymentRecovered } from '../payment-events.ts';
import { activateOver, announceActivation } from './activation.ts';
import type { Decision, MarkInvoiceCommand } from './aggregate.ts';
import { defaultCancelReason } from './cancel.ts';
import { changeOf } from './change-amounts.ts';
import { closeChangeCheckout, openChange } from './change-checkout.ts';
import { changeSettled } from './change-settled.ts';
import { abandonAuthentication } from './charging.ts';
import { endDunning } from './dunning.ts';
import { endSubscription } from './ending.ts';
import { payOutside, voidInvoice } from './invoicing.ts';
import { isCharging } from './lookup.ts';
import { isReactivation, reactivated, restartRefusal } from './reactivate.ts';
import type { InvoiceRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/**
 * Marks an outstanding invoice paid, because money came in outside the platform, or void, because it is not wanted any more. No transaction
 * is made. Any other invoice, and one of a subscription whose charge is under way, is refused with `validation_error` on `status`. What is paid
 * takes effect as if it had been charged: one that would start a canceled subscription anew is refused where that cannot be (SUB-31).
 */
export function mark(work: Work, { invoiceId, status }: MarkInvoiceCommand): Decision {
  const invoice = work.invoices.find(invoiceId);
  if (invoice?.status !== 'outstanding') return refuse(work, 'Only an outstanding invoice can be marked.');
  const subscription = invoice.subscriptionId === null ? null : work.subscriptions.find(invoice.subscriptionId);
  if (subscription !== null && isCharging(work, subscription)) return refuse(work, 'A charge of its subscription is under way.');
  if (status === 'paid' && subscription?.status === 'canceled' && isReactivation(subscription, invoice)) {
    const refusal = restartRefusal(work, subscription);
    if (refusal !== null) return work.refuse(refusal);
    reactivated(work, subscription, invoice, 'outside');
  } else if (status === 'paid') markPaid(work, invoice, subscription);
  else markVoid(work, invoice, subscription);
  return work.done('done', subscription?.id ?? null, invoice.id);
}

const refuse = (work: Work, message: string): Decision =>
  work.refuse({ code: 'validation_error', message, param: 'status', details: [{ field: 'status', message }] });

function markPaid(work: Work, invoice: InvoiceRow, subscription: SubscriptionRow | null): void {
  if (subscription !== null && changeOf(invoice) !== null) {
    abandonAuthentication(work, subscription.pendingCheckout);
    changeSettled(work, subscription, invoice, { by: 'outside', isInvoiceTold: true });
    return;
  }
  const settled = payOutside(work, invoice);
  if (subscription?.dunningInvoiceId === invoice.id) {
    work.emit(paymentRecovered(work.customer, settled, null));
    endDunning(work, subscription, settled, null);
  } else if (subscription?.checkoutInvoiceId === invoice.id) {
    abandonAuthentication(work, subscription.pendingCheckout);
    const { active, paid } = activateOver(work, subscription, settled);
    announceActivation(work, subscription, active, paid, null);
  }
}

/**
 * A checkout without its invoice has nothing left to be paid: its subscription ends with it, or keeps the plan it was to change. One in dunning
 * is back in force.
 */
function markVoid(work: Work, invoice: InvoiceRow, subscription: SubscriptionRow | null): void {
  if (subscription !== null && openChange(work, subscription)?.id === invoice.id) {
    work.subscriptions.put({ ...closeChangeCheckout(work, subscription), updatedAt: work.now });
    return;
  }
  if (subscription?.checkoutInvoiceId === invoice.id) {
    endSubscription(work, subscription, { reason: defaultCancelReason, canceledAt: work.now, endDate: work.now });
    return;
  }
  const voided = voidInvoice(work, invoice);
  if (subscription?.dunningInvoiceId === invoice.id) endDunning(work, subscription, voided, null);
}
