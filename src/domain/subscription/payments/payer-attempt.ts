// Attempts that the payer starts: instructions are shown, and a later report brings the result.
import { addBusinessDays } from '../../payments/instruments/calendars.ts';
import { instrumentOf } from '../../payments/instruments/registry.ts';
import type { InstructedPayment } from '../../payments/provider.ts';
import type { TransactionRow } from '../../rows/rows.ts';
import { utcMidnight } from '../../time/period.ts';
import { isAtCheckout } from '../invoicing/charging.ts';
import { invoiceOf } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { attemptDeadline } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { announce, report, subscriptionOf } from './attempt-stage.ts';

/**
 * Stores the instructions for the payer and waits for the payment. A checkout stays open until then (INS-30). Schedules the
 * reports of a simulated bank.
 */
export function payerInstructed(
  draft: Draft,
  transactionId: string,
  { instructions, next }: InstructedPayment,
): Decision {
  const requested = draft.transactions.patch(transactionId, { instructions });
  const transaction = report(draft, requested, 'awaiting_payer');
  const steps = (subject: Parameters<typeof attemptDeadline>[0]): void => {
    for (const [index, { at, report: signal }] of next.entries())
      draft.schedule(attemptDeadline(subject, transactionId, at, index, signal));
  };
  if (transaction.paymentId !== null) {
    steps(draft.customer);
    draft.payments.patch(transaction.paymentId, { status: 'requires_action', updatedAt: draft.now });
    return draft.done('requires_action', null);
  }
  const subscription = subscriptionOf(draft, transaction);
  const invoice = invoiceOf(draft, transaction.invoiceId);
  steps(subscription);
  const checkout = subscription.pendingCheckout;
  if (checkout?.attemptId === transactionId)
    draft.subscriptions.patch(subscription.id, {
      pendingCheckout: isAtCheckout(checkout) ? { ...checkout, state: 'collecting' } : null,
    });
  return draft.done('collecting', subscription.id, invoice.id);
}

/** Records that the payer paid, and that the bank confirms the payment later, such as for a boleto. */
export function confirmLater(draft: Draft, awaited: TransactionRow): void {
  const { calendar, confirmation } = instrumentOf(awaited.instrument);
  draft.transactions.patch(awaited.id, {
    collectionOn: utcMidnight(draft.now),
    expectedOn: addBusinessDays(calendar, draft.now, confirmation.typical),
    latestOn: addBusinessDays(calendar, draft.now, confirmation.latest),
  });
  announce(draft, report(draft, awaited, 'processing'), 'payment.processing');
}
