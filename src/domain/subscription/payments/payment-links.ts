// One-time payments (PAY-1 … PAY-10), made with a payment link or by charging a stored payment method. They
// don't affect subscriptions.
import type { Rejection } from '../../errors/errors.ts';
import { paymentLinkEvent } from '../../events/payment-link-data.ts';
import { cancellation, type PaymentTerms, type Routing } from '../../payments/payment.ts';
import { type Processors, processorRejection } from '../../payments/processors.ts';
import type { PaymentRow } from '../../rows/payment-rows.ts';
import { cancelAwaited } from '../invoicing/awaited.ts';
import { failTransaction } from '../invoicing/charging.ts';
import { isAwaitingPayer } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';

/** Returns the reason why the given provider and connection can't process a payment link, or `null` if they can. */
export const linkRejection = (
  processors: Processors,
  { namedProvider: provider, connectionId }: Routing,
): Rejection | null => processorRejection(processors, { provider, connectionId });

/** Returns the payment terms from the input of a command. */
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

/** Cancels a payment link and emits `payment_link.canceled`. */
export function withdraw(draft: Draft, payment: PaymentRow): void {
  abandon(draft, payment);
  const canceled = draft.payments.patch(payment.id, cancellation(draft.now));
  draft.emit(paymentLinkEvent('payment_link.canceled', canceled, draft.customer));
}

/** Abandons the pending authentication of a payment, or its instructions to the payer. */
export function abandon(draft: Draft, { attempt }: PaymentRow): void {
  const transaction = attempt?.transactionId == null ? null : draft.transactions.find(attempt.transactionId);
  if (transaction?.status !== 'pending') return;
  if (isAwaitingPayer(transaction)) cancelAwaited(draft, transaction);
  else failTransaction(draft, transaction, 'authentication_abandoned');
}
