// One-time payments (PAY-1 … PAY-10): a link the payer opens, or a charge of a stored method. Neither touches
// the subscription.
import type { Rejection } from '../../errors.ts';
import { paymentLinkEvent } from '../../payments/event-data.ts';
import { cancellation, type PaymentTerms, type Routing } from '../../payments/payment.ts';
import type { PaymentRow } from '../../payments/rows.ts';
import { type Processors, processorRejection } from '../../processors.ts';
import { failTransaction } from '../invoicing/charging.ts';
import type { Draft } from '../state/draft.ts';

/** Why a link could not be paid by anybody, by what was said about where it is charged; null when it can. */
export const linkRejection = (
  processors: Processors,
  { namedProvider: provider, connectionId }: Routing,
): Rejection | null => processorRejection(processors, { provider, connectionId });

/** The terms of a payment without the rest of its command. */
export const termsOf = ({
  paymentId,
  subtotalMinor,
  currency,
  description,
  metadata,
}: PaymentTerms): PaymentTerms => ({
  paymentId,
  subtotalMinor,
  currency,
  description,
  metadata,
});

/** Withdraws a link, which nobody can pay any more, and sends `payment_link.canceled`. */
export function withdraw(draft: Draft, payment: PaymentRow): void {
  abandon(draft, payment);
  const canceled = draft.payments.patch(payment.id, cancellation(draft.now));
  draft.emit(paymentLinkEvent('payment_link.canceled', canceled, draft.customer));
}

/** Abandons an authentication the payer has not passed. */
export function abandon(draft: Draft, { attempt }: PaymentRow): void {
  const transaction = attempt?.transactionId == null ? null : draft.transactions.find(attempt.transactionId);
  if (transaction?.status === 'pending') failTransaction(draft, transaction, 'authentication_abandoned');
}
