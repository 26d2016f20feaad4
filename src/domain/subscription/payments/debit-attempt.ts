// Bank debits: their acceptance, and the reports that change their stage (INS-10 to INS-13, INS-30 to INS-45).
import { invoiceReopened, paymentReturned } from '../../events/debit-events.ts';
import { invoiceEvent } from '../../events/payment-events.ts';
import { chargeOf } from '../../invoicing/credit-note.ts';
import { failureClassOf } from '../../payments/instruments/failures.ts';
import { instrumentOf } from '../../payments/instruments/registry.ts';
import { isLatePayment, transitionOf, withReport } from '../../payments/instruments/stages.ts';
import type { AcceptedDebit } from '../../payments/provider.ts';
import type { ProcessingAccess, TransactionStage } from '../../rows/enums.ts';
import type {
  AttemptSignal,
  InvoiceRow,
  PaymentMethodRow,
  SubscriptionRow,
  TransactionRow,
} from '../../rows/rows.ts';
import { nextMidnight } from '../../time/period.ts';
import { failTransaction, isAtCheckout, noMethodFailure } from '../invoicing/charging.ts';
import { reopenInvoice } from '../invoicing/settling.ts';
import { announcePastDue, startDunning } from '../lifecycle/dunning.ts';
import { isLastInvoice, lastDebitAccepted } from '../lifecycle/last-charge.ts';
import { leaveToPayer } from '../lifecycle/payer-collection.ts';
import { trialDebited } from '../lifecycle/trial.ts';
import { invoiceOf, isAwaitingPayer, needsMandate, planOf } from '../pricing/lookup.ts';
import { isPurchase } from '../purchases/purchase.ts';
import { scheduleCheckoutExpiry } from '../schedule/checkout-expiry.ts';
import { scheduleOverdue } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import { attemptDeadline } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { attemptFailed, attemptSettled } from './attempt-ended.ts';
import {
  accountBehind,
  announce,
  methodBehind,
  report,
  subscriptionOf,
  waitingCheckout,
} from './attempt-stage.ts';
import { checkoutAnswered, checkoutDebited, checkoutWaits } from './checkout.ts';
import { countDebit, endMandate, type MandateEnd } from './mandates.ts';
import { confirmLater } from './payer-attempt.ts';
import { paymentReported } from './payment-attempt.ts';
import { recordLatePayment } from './receipts.ts';
import { keepEntered } from './recovery.ts';

/** Returns the access while the first payment of a subscription is processing (INS-30). */
const accessWhile = ({ aggregate }: Draft, { instrument }: TransactionRow): ProcessingAccess =>
  aggregate.environment.accessWhileProcessing ??
  (instrumentOf(instrument).initiation === 'pull' ? 'grant' : 'wait');

/**
 * Records that a debit was accepted. The first debit of a subscription gives access (INS-32), and the last debit ends the
 * subscription. Schedules the reports of a simulated bank.
 */
export function debitAccepted(
  draft: Draft,
  transactionId: string,
  { status, next }: AcceptedDebit,
): Decision {
  const transaction = report(draft, draft.transactions.get(transactionId), status);
  const subscription = subscriptionOf(draft, transaction);
  const invoice = invoiceOf(draft, transaction.invoiceId);
  for (const [index, { at, report: signal }] of next.entries())
    draft.schedule(attemptDeadline(subscription, transactionId, at, index, signal));
  const kind = status === 'scheduled' ? 'payment.scheduled' : 'payment.processing';
  const emitStage = (): void => announce(draft, transaction, kind);
  const checkout = subscription.pendingCheckout;
  if (checkout?.attemptId === transactionId && isAtCheckout(checkout)) {
    if (accessWhile(draft, transaction) === 'grant')
      checkoutDebited(draft, subscription, checkout, transaction);
    else checkoutWaits(draft, subscription, checkout, transaction);
    emitStage();
  } else if (checkout?.attemptId === transactionId) {
    draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
    keepEntered(draft, subscription, checkout);
    emitStage();
  } else if (subscription.status === 'trialing' && !subscription.cancelAtPeriodEnd)
    trialDebited(draft, subscription, invoice, transaction, emitStage);
  else {
    emitStage();
    if (isLastInvoice(subscription, invoice)) lastDebitAccepted(draft, subscription, invoice);
  }
  const method = methodBehind(draft, draft.transactions.get(transactionId));
  if (method !== null) countDebit(draft, method);
  return draft.done('collecting', subscription.id, invoice.id);
}

/**
 * Applies a report to a debit along the stages of INS-10. Repeated and late reports change nothing. A report that
 * contradicts the result is kept in the timeline.
 */
export function debitReported(draft: Draft, transaction: TransactionRow, signal: AttemptSignal): Decision {
  const { subscriptionId, invoiceId } = transaction;
  if ('mandate' in signal) {
    const method = methodBehind(draft, transaction);
    if (method !== null) revokeMandate(draft, method, { endedBy: 'bank', reason: signal.code });
    return draft.done('done', subscriptionId, invoiceId);
  }
  const canReturn = instrumentOf(transaction.instrument).dispute === 'return';
  const transition = transitionOf(transaction.stage, signal.stage, canReturn);
  if (transition.kind === 'contradiction') {
    const isNew = contradict(draft, transaction, signal);
    if (isNew && isLatePayment(transaction, signal.stage)) {
      recordLatePayment(draft, transaction);
      return draft.done('done', subscriptionId, invoiceId);
    }
  }
  if (transition.kind !== 'moved') return draft.done('unchanged', subscriptionId, invoiceId);
  for (const stage of transition.through)
    move(draft, draft.transactions.get(transaction.id), stage, signal.code);
  return draft.done('done', subscriptionId, invoiceId);
}

/** Keeps a report that contradicts the result of an attempt in its timeline. Returns false if the timeline already contains it. */
function contradict(
  draft: Draft,
  { id, reports }: TransactionRow,
  signal: Exclude<AttemptSignal, { readonly mandate: 'revoked' }>,
): boolean {
  if (reports?.some(({ stage, isContradiction }) => isContradiction && stage === signal.stage)) return false;
  const contradiction = { ...signal, at: draft.now.toISOString(), isContradiction: true } as const;
  draft.transactions.patch(id, { reports: withReport(reports, contradiction), updatedAt: draft.now });
  return true;
}

function move(draft: Draft, before: TransactionRow, stage: TransactionStage, code?: string): void {
  if (before.paymentId !== null) {
    paymentReported(draft, before.paymentId, report(draft, before, stage, code));
    return;
  }
  const subscription = subscriptionOf(draft, before);
  const invoice = invoiceOf(draft, before.invoiceId);
  if (stage === 'returned') {
    // A refunded or disputed payment was already returned.
    if (before.status === 'succeeded') returnPayment(draft, subscription, invoice, before, code);
    return;
  }
  if (stage === 'processing') {
    if (isAwaitingPayer(before)) confirmLater(draft, before);
    else submit(draft, subscription, before, invoice);
    return;
  }
  const transaction = report(draft, before, stage, code);
  const waiting = waitingCheckout(subscription, transaction);
  if (stage === 'settled') {
    if (waiting !== null) checkoutAnswered(draft, subscription, waiting, { status: 'settled' });
    else attemptSettled(draft, subscription, invoice, transaction);
    draft.item = { outcome: 'collected', invoiceId: invoice.id, detail: null };
  } else if (stage === 'declined' || stage === 'expired' || stage === 'canceled')
    fail(draft, subscription, invoice, transaction, stage, code ?? stage);
}

/** Checks a scheduled debit again when it's sent to the bank (INS-22). */
function submit(
  draft: Draft,
  subscription: SubscriptionRow,
  scheduled: TransactionRow,
  invoice: InvoiceRow,
): void {
  const { total, taxAmount } = chargeOf(invoice);
  if (invoice.status !== 'outstanding' || total <= 0n) {
    cancelDebit(draft, scheduled);
    return;
  }
  const { method, mandate } = accountBehind(draft, scheduled);
  if (method === null || (mandate === null && needsMandate(method))) {
    unchargeable(draft, subscription, invoice, cancelDebit(draft, scheduled));
    return;
  }
  const transaction = report(draft, scheduled, 'processing');
  if (total !== transaction.amountMinor)
    draft.transactions.patch(transaction.id, { amountMinor: total, taxMinor: taxAmount });
  announce(draft, transaction, 'payment.processing');
}

/** Handles a failed debit. A checkout that waited for the debit can be paid again, and its time limit starts again (INS-E5). */
function endFailed(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  failed: TransactionRow,
  failure: { readonly code: string; readonly message: string },
): void {
  const waiting = waitingCheckout(subscription, failed);
  if (waiting === null) {
    attemptFailed(draft, subscription, invoice, failed, failure);
    return;
  }
  scheduleCheckoutExpiry(draft, subscription);
  checkoutAnswered(draft, subscription, waiting, {
    status: 'declined',
    declineCode: failure.code,
    message: failure.message,
  });
}

/** Handles a canceled debit whose account can no longer be charged. A renewal is left to the customer if the organization allows it (INS-63). */
function unchargeable(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  canceled: TransactionRow,
): void {
  const isRenewal =
    waitingCheckout(subscription, canceled) === null &&
    !isPurchase(invoice) &&
    (subscription.status === 'active' || subscription.status === 'canceled');
  if (isRenewal && leaveToPayer(draft, subscription, invoice))
    draft.emit(invoiceEvent('invoice.updated', draft.customer, draft.invoices.get(invoice.id)));
  else endFailed(draft, subscription, invoice, canceled, noMethodFailure);
}

/** Cancels a debit before it's sent to the bank. The remaining reports about the debit are removed. */
function cancelDebit(draft: Draft, transaction: TransactionRow): TransactionRow {
  for (const row of draft.deadlinesOf(subscriptionOf(draft, transaction).id))
    if (row.kind === 'attempt_step' && row.data.transactionId === transaction.id) draft.unschedule(row.id);
  return failTransaction(draft, report(draft, transaction, 'canceled'), 'canceled', 'canceled');
}

const messageFor = (code: string): string => `The bank didn't collect the payment (${code}).`;

function fail(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  transaction: TransactionRow,
  stage: 'declined' | 'expired' | 'canceled',
  code: string,
): void {
  const failed = failTransaction(draft, transaction, code, stage);
  endFailed(draft, subscription, invoice, failed, { code, message: messageFor(code) });
  draft.item ??= { outcome: 'declined', invoiceId: invoice.id, detail: code };
  postponeOverdue(draft, subscription, invoice);
  endUnusable(draft, transaction, code);
}

/** Moves the overdue notice to the next daily scan, because an invoice isn't overdue while it's collected (INS-20). */
function postponeOverdue(draft: Draft, { id }: SubscriptionRow, invoice: InvoiceRow): void {
  for (const row of draft.deadlinesOf(id)) {
    const isNotice = row.data.notice === 'invoice.overdue' && row.data.invoiceId === invoice.id;
    if (isNotice && row.dueAt <= draft.now) draft.schedule({ ...row, dueAt: nextMidnight(draft.now) });
  }
}

/** Ends the mandate of an account that can no longer be debited (INS-45). */
function endUnusable(draft: Draft, transaction: TransactionRow, code: string): void {
  const kind = failureClassOf(code);
  const method = methodBehind(draft, transaction);
  if (method !== null && (kind === 'mandate' || kind === 'account'))
    revokeMandate(draft, method, { endedBy: 'bank', reason: code });
}

/**
 * Reopens the invoice of a payment that the payer's bank returned, and starts dunning (INS-40, INS-41). If another invoice is in
 * dunning, or the subscription ended, the invoice becomes overdue instead.
 */
function returnPayment(
  draft: Draft,
  subscription: SubscriptionRow,
  paid: InvoiceRow,
  before: TransactionRow,
  code = 'returned',
): void {
  report(draft, before, 'returned', code);
  const transaction = draft.transactions.patch(before.id, {
    status: 'failed',
    declineCode: code,
    returnedAt: draft.now,
  });
  const invoice = reopenInvoice(draft, paid, transaction);
  draft.emit(paymentReturned(draft.customer, invoice, transaction, accountBehind(draft, transaction)));
  draft.emit(invoiceReopened(draft.customer, invoice));
  const failure = { code, message: messageFor(code), provider: transaction.provider };
  const canDun = subscription.status === 'active' && !planOf(draft, subscription).isFree;
  if (canDun && invoice.purchase === null)
    announcePastDue(draft, startDunning(draft, subscription, invoice), invoice, failure);
  else scheduleOverdue(draft, subscription, invoice);
  postponeOverdue(draft, subscription, invoice);
  draft.item = { outcome: 'returned', invoiceId: invoice.id, detail: code };
  endUnusable(draft, transaction, code);
}

/**
 * Ends the mandate of a payment method and cancels its scheduled debits (INS-63). Their invoices fail as without a payment
 * method. Debits that are processing continue. A scheduled debit of a subscription that isn't loaded is canceled when it
 * would be sent.
 */
export function revokeMandate(draft: Draft, method: PaymentMethodRow, end: MandateEnd): void {
  if (!endMandate(draft, method, end)) return;
  for (const row of draft.transactions.all()) {
    const isLoaded = row.subscriptionId !== null && draft.subscriptions.find(row.subscriptionId) !== null;
    if (row.paymentMethodId !== method.id || row.stage !== 'scheduled' || !isLoaded) continue;
    const transaction = cancelDebit(draft, row);
    const invoice = invoiceOf(draft, transaction.invoiceId);
    unchargeable(draft, subscriptionOf(draft, transaction), invoice, transaction);
  }
}
