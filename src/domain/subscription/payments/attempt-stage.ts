// Stage of an attempt, and the events about its changes (INS-10, INS-16).
import { type DebitedAccount, debitEvent } from '../../events/debit-events.ts';
import { withReport } from '../../payments/instruments/stages.ts';
import type { TransactionStage } from '../../rows/enums.ts';
import type { PaymentMethodRow, PendingCheckout, SubscriptionRow, TransactionRow } from '../../rows/rows.ts';
import { invoiceOf, mandateOf, storedMethods } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';

export const methodBehind = (
  draft: Draft,
  { paymentMethodId }: Pick<TransactionRow, 'paymentMethodId'>,
): PaymentMethodRow | null => storedMethods(draft).find(({ id }) => id === paymentMethodId) ?? null;

export function accountBehind(draft: Draft, transaction: TransactionRow): DebitedAccount {
  const method = methodBehind(draft, transaction);
  return { method, mandate: method === null ? null : mandateOf(draft, method) };
}

/** Returns the subscription of a debit. Throws if it isn't loaded. */
export function subscriptionOf(draft: Draft, { id, subscriptionId }: TransactionRow): SubscriptionRow {
  const subscription = subscriptionId === null ? null : draft.subscriptions.find(subscriptionId);
  if (subscription === null) throw new Error(`The debit ${id} belongs to no subscription of the aggregate.`);
  return subscription;
}

/** Sets the stage of an attempt and adds a report to its timeline (INS-16). */
export const report = (
  draft: Draft,
  { id }: TransactionRow,
  stage: TransactionStage,
  code?: string,
): TransactionRow => {
  const { reports } = draft.transactions.get(id);
  const next = { stage, at: draft.now.toISOString(), ...(code === undefined ? {} : { code }) };
  return draft.transactions.patch(id, { stage, reports: withReport(reports, next), updatedAt: draft.now });
};

/** Emits that a debit was scheduled or is processing. */
export function announce(
  draft: Draft,
  { id }: TransactionRow,
  kind: 'payment.scheduled' | 'payment.processing',
): void {
  const transaction = draft.transactions.get(id);
  const invoice = invoiceOf(draft, transaction.invoiceId);
  draft.emit(debitEvent(kind, draft.customer, invoice, transaction, accountBehind(draft, transaction)));
}

/** Returns the checkout that the result of a debit completes. `null` if the subscription already gave access. */
export const waitingCheckout = (
  { pendingCheckout }: SubscriptionRow,
  { id }: TransactionRow,
): PendingCheckout | null =>
  pendingCheckout?.state === 'collecting' && pendingCheckout.attemptId === id ? pendingCheckout : null;
