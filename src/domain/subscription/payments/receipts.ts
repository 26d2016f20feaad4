// Receipts: money that a payer sent without a charge, such as a bank transfer of any amount (INS-70 to INS-74).

import { paymentReceived } from '../../events/payment-events.ts';
import { receiptEvent } from '../../events/receipt-events.ts';
import { chargeOf } from '../../invoicing/credit-note.ts';
import { minOf } from '../../money/money.ts';
import { leftOf, type Portion, portionsFor, returnsRest, sumOf } from '../../payments/receipts.ts';
import type { InvoiceRow, ReceiptRow, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { settleTransaction } from '../invoicing/charging.ts';
import { addPayment, holdReceipt, payPart, returnRest, takePortion } from '../invoicing/receipts.ts';
import { finalizeInvoice, payInvoice } from '../invoicing/settling.ts';
import { activateOver, announceActivation } from '../lifecycle/activation.ts';
import { isReactivation, restartRejection } from '../lifecycle/reactivate.ts';
import { changeOf } from '../plan-change/change-amounts.ts';
import { invoiceBehind, isAwaitingPayer, isBeingCollected, isCharging } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import { attemptSettled } from './attempt-ended.ts';
import { report, waitingCheckout } from './attempt-stage.ts';
import { checkoutAnswered } from './checkout.ts';

const subscriptionBehind = (draft: Draft, { subscriptionId }: InvoiceRow): SubscriptionRow | null =>
  subscriptionId === null ? null : draft.subscriptions.find(subscriptionId);

/**
 * Returns true if money can be applied to an invoice now. False if the invoice isn't outstanding, a charge is in progress, or the
 * payment would reactivate a subscription that can't be reactivated. The money then stays on account.
 */
export function takesMoney(draft: Draft, invoice: InvoiceRow): boolean {
  if (invoice.status !== 'outstanding' || isBeingCollected(draft, invoice.id)) return false;
  const subscription = subscriptionBehind(draft, invoice);
  if (subscription === null) return invoice.subscriptionId === null;
  const { pendingCheckout } = subscription;
  if (isCharging(draft, subscription) || pendingCheckout?.state === 'requires_action') return false;
  if (pendingCheckout?.heldSubscriptionId !== undefined) return false;
  return !isReactivation(subscription, invoice) || restartRejection(draft, subscription) === null;
}

/**
 * Applies receipts to an invoice, in the given order, up to `mostMinor`. An invoice that can still be revised is paid only if the
 * receipts cover its whole amount. Returns the applied amount.
 */
export function applyReceipts(
  draft: Draft,
  invoice: InvoiceRow,
  receipts: readonly ReceiptRow[],
  mostMinor: bigint | null = null,
): bigint {
  const due = chargeOf(invoice).total;
  if (due <= 0n || !takesMoney(draft, invoice)) return 0n;
  const portions = portionsFor(receipts, mostMinor === null ? due : minOf(due, mostMinor));
  const applied = sumOf(portions);
  const isFull = applied === due;
  if (!isFull && invoice.finalizedAt === null) return 0n;
  if (portions.length > 1) finalizeInvoice(draft, invoice);
  for (const portion of isFull ? portions.slice(0, -1) : portions) payPart(draft, invoice, portion);
  const last = portions.at(-1);
  if (isFull && last !== undefined) payRest(draft, draft.invoices.get(invoice.id), last);
  else lowerAwaited(draft, draft.invoices.get(invoice.id));
  return applied;
}

/** Returns the open attempt of a transfer for an invoice. `null` if no attempt is open. */
const awaitedTransfer = (
  draft: Draft,
  { id }: InvoiceRow,
  { instrument }: Pick<ReceiptRow, 'instrument'>,
): TransactionRow | null =>
  draft.transactions
    .all()
    .find((row) => row.invoiceId === id && row.instrument === instrument && isAwaitingPayer(row)) ?? null;

/** Lowers the amount of payments that the payer still makes to the amount due. */
function lowerAwaited(draft: Draft, invoice: InvoiceRow): void {
  const { total, taxAmount } = chargeOf(invoice);
  for (const row of draft.transactions.all())
    if (row.invoiceId === invoice.id && isAwaitingPayer(row))
      draft.transactions.patch(row.id, { amountMinor: total, taxMinor: taxAmount, updatedAt: draft.now });
}

/** Pays the rest of an invoice with a portion of a receipt, with the effects of any other payment. */
function payRest(draft: Draft, invoice: InvoiceRow, portion: Portion): void {
  const { taxAmount } = chargeOf(invoice);
  const awaited = awaitedTransfer(draft, invoice, draft.receipts.get(portion.receiptId));
  const pending =
    awaited === null
      ? addPayment(draft, invoice, portion, taxAmount)
      : draft.transactions.patch(report(draft, awaited, 'settled').id, {
          amountMinor: portion.amountMinor,
          taxMinor: taxAmount,
          receiptId: portion.receiptId,
        });
  takePortion(draft, portion);
  const subscription = subscriptionBehind(draft, invoice);
  if (subscription === null) {
    const transaction = settleTransaction(draft, pending, null);
    draft.emit(paymentReceived(draft.customer, payInvoice(draft, invoice, transaction), transaction));
    return;
  }
  const waiting = waitingCheckout(subscription, pending);
  if (waiting !== null) checkoutAnswered(draft, subscription, waiting, { status: 'settled' });
  else if (subscription.checkoutInvoiceId === invoice.id && changeOf(invoice) === null)
    activateByReceipt(draft, subscription, invoice, pending);
  else attemptSettled(draft, subscription, invoice, pending);
}

/** Activates a subscription whose checkout was paid by a receipt, while the checkout waited for no transfer. */
function activateByReceipt(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  pending: TransactionRow,
): void {
  const transaction = settleTransaction(draft, pending, null);
  const settled = payInvoice(draft, invoice, transaction);
  const { provider } = transaction;
  const { active, paid } = activateOver(draft, subscription, settled, { provider });
  draft.emit(paymentReceived(draft.customer, paid, transaction));
  announceActivation(draft, subscription, active, paid, provider);
}

/**
 * Records a receipt of the customer. Applies it to its invoice, together with other money that was received for the invoice. The
 * rest stays on account, or is returned if the money is late (INS-72).
 */
export function recordReceipt(draft: Draft, row: ReceiptRow, invoice: InvoiceRow | null): ReceiptRow {
  holdReceipt(draft, row);
  if (invoice !== null && invoice.currency === row.currency) {
    const forInvoice = draft.receipts
      .all()
      .filter((one) => one.invoiceId === invoice.id && one.customerId === draft.customer.id);
    applyReceipts(
      draft,
      invoice,
      forInvoice.filter((one) => leftOf(one) > 0n),
    );
  }
  const receipt = draft.receipts.get(row.id);
  const isRestReturned = returnsRest(receipt) && leftOf(receipt) > 0n;
  const recorded = isRestReturned ? returnRest(draft, receipt) : receipt;
  draft.emit(receiptEvent('receipt.recorded', draft.customer, recorded, invoice));
  return recorded;
}

/** Records money that arrived after its payment attempt had ended without a payment. The attempt doesn't change (INS-74). */
export function recordLatePayment(draft: Draft, ended: TransactionRow): void {
  const invoice = invoiceBehind(draft, ended);
  recordReceipt(
    draft,
    {
      id: draft.newId('rcp'),
      seq: null,
      customerId: draft.customer.id,
      invoiceId: ended.invoiceId,
      status: 'on_account',
      source: 'late_payment',
      instrument: ended.instrument,
      currency: ended.currency,
      amountMinor: ended.amountMinor,
      appliedMinor: 0n,
      returnedMinor: 0n,
      reference: null,
      payerName: null,
      bankReference: `late:${ended.id}`,
      lateOf: ended.id,
      receivedAt: draft.now,
      createdAt: draft.now,
      updatedAt: draft.now,
    },
    invoice,
  );
}
