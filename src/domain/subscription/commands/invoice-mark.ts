import { paymentRecovered } from '../../events/payment-events.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { abandonAuthentication, owedAuthentication } from '../invoicing/charging.ts';
import { payOutside, voidInvoice } from '../invoicing/settling.ts';
import { activateOver, announceActivation } from '../lifecycle/activation.ts';
import { defaultCancelReason } from '../lifecycle/cancel.ts';
import { endDunning } from '../lifecycle/dunning.ts';
import { endSubscription } from '../lifecycle/end-subscription.ts';
import { isReactivation, reactivated, restartRejection } from '../lifecycle/reactivate.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { closeChangeCheckout, openChange } from '../plan-change/change-checkout.ts';
import { changeSettled } from '../plan-change/change-settled.ts';
import { isBeingCollected, isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly invoiceId: string;
  readonly status: 'paid' | 'void';
  readonly wasSent?: boolean;
};

/**
 * Marks an outstanding invoice as void, or as paid outside Quittance. Creates no transaction. Marking an
 * invoice as paid has the same effects as charging it. Fails with `validation_error` on `status` if the
 * invoice isn't outstanding or a charge of its subscription is in progress. Also fails if payment would
 * reactivate a canceled subscription that can't be reactivated (SUB-31).
 */
export const invoiceMark = customerCommand({
  kind: 'invoice.mark',
  outlivesCustomer: true,
  needs: ({ invoiceId }: Input) => ({ invoices: [invoiceId] }),
  decide(draft: Draft, { invoiceId, status, wasSent = false }: Input): Decision {
    const invoice = draft.invoices.find(invoiceId);
    if (invoice?.status !== 'outstanding')
      return reject(draft, 'Only an outstanding invoice can be marked as paid, void, or uncollectible.');
    const subscription =
      invoice.subscriptionId === null ? null : draft.subscriptions.find(invoice.subscriptionId);
    if (isBeingCollected(draft, invoice.id) || (subscription !== null && isCharging(draft, subscription)))
      return reject(draft, 'A charge of the subscription is still processing. Try again in a moment.');
    if (status === 'paid' && subscription?.status === 'canceled' && isReactivation(subscription, invoice)) {
      const rejection = restartRejection(draft, subscription);
      if (rejection !== null) return draft.reject(rejection);
      reactivated(draft, subscription, invoice, 'outside');
    } else if (status === 'paid') markPaid(draft, invoice, subscription);
    else markVoid(draft, wasSent ? sentInvoice(draft, invoice) : invoice, subscription);
    return draft.done('done', subscription?.id ?? null, invoice.id);
  },
});

const reject = (draft: Draft, message: string): Decision =>
  draft.reject({
    code: 'validation_error',
    message,
    param: 'status',
    details: [{ field: 'status', message }],
  });

function markPaid(draft: Draft, invoice: InvoiceRow, subscription: SubscriptionRow | null): void {
  if (subscription !== null && changeOf(invoice) !== null) {
    abandonAuthentication(draft, subscription.pendingCheckout);
    changeSettled(draft, subscription, invoice, { by: 'outside', isInvoiceEmitted: true });
    return;
  }
  const settled = payOutside(draft, invoice);
  if (subscription?.dunningInvoiceId === invoice.id) {
    draft.emit(paymentRecovered(draft.customer, settled, null));
    endDunning(draft, subscription, settled, null);
  } else if (subscription?.checkoutInvoiceId === invoice.id) {
    abandonAuthentication(draft, subscription.pendingCheckout);
    const { active, paid } = activateOver(draft, subscription, settled);
    announceActivation(draft, subscription, active, paid, null);
  }
}

/** Returns the invoice marked as sent to the customer. */
const sentInvoice = (draft: Draft, { id, sentAt }: InvoiceRow): InvoiceRow =>
  draft.invoices.patch(id, { sentAt: sentAt ?? draft.now });

/**
 * Voids an invoice. If it's the first invoice of an open checkout, the subscription ends. If it's for a plan
 * change, the change is canceled. If it's in dunning, the subscription becomes active again.
 */
function markVoid(draft: Draft, invoice: InvoiceRow, subscription: SubscriptionRow | null): void {
  if (subscription !== null && openChange(draft, subscription)?.id === invoice.id) {
    closeChangeCheckout(draft, subscription);
    draft.subscriptions.patch(subscription.id, { updatedAt: draft.now });
    return;
  }
  if (subscription?.checkoutInvoiceId === invoice.id) {
    endSubscription(draft, subscription, {
      reason: defaultCancelReason,
      canceledAt: draft.now,
      endDate: draft.now,
    });
    return;
  }
  const voided = voidInvoice(draft, invoice);
  if (subscription?.status === 'canceled') {
    abandonAuthentication(draft, owedAuthentication(subscription));
    draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
  }
  if (subscription?.dunningInvoiceId === invoice.id) endDunning(draft, subscription, voided, null);
}
