// Mandates of stored payment methods (INS-61 to INS-63).
import { mandateEvent } from '../../events/debit-events.ts';
import type { MandateRow, PaymentMethodRow } from '../../rows/rows.ts';
import { mandateOf, needsMandate } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';

/** Stores the mandate that the payer accepted with a payment method. Does nothing if the instrument needs no mandate. */
export function acceptMandate(draft: Draft, method: PaymentMethodRow, textVersion: string | null): void {
  if (!needsMandate(method)) return;
  const id = draft.newId('mdt');
  const mandate = draft.mandates.add({
    id,
    seq: null,
    customerId: method.customerId,
    paymentMethodId: method.id,
    status: 'active',
    reference: id.replace('_', '-').toUpperCase(),
    acceptedAt: draft.now,
    textVersion,
    debits: 0,
    endedAt: null,
    endedBy: null,
    reason: null,
  });
  draft.emit(mandateEvent('mandate.created', draft.customer, mandate, method));
}

/** Counts a debit under the mandate of a payment method. */
export function countDebit(draft: Draft, method: PaymentMethodRow): void {
  const mandate = mandateOf(draft, method);
  if (mandate !== null) draft.mandates.patch(mandate.id, { debits: mandate.debits + 1 });
}

/** End of a mandate: the party that ended it, and the code of the bank. */
export type MandateEnd = Pick<MandateRow, 'endedBy' | 'reason'>;

/**
 * Ends the mandate of a payment method, which can no longer be charged. Emits `mandate.revoked`. Returns false if the payment
 * method has no active mandate.
 */
export function endMandate(draft: Draft, method: PaymentMethodRow, end: MandateEnd): boolean {
  const mandate = mandateOf(draft, method);
  if (mandate === null) return false;
  const ended = draft.mandates.patch(mandate.id, {
    status: 'revoked',
    endedAt: draft.now,
    ...end,
  });
  const user = draft.subscriptions
    .all()
    .findLast((row) => row.paymentMethodId === method.id && row.status !== 'canceled');
  draft.emit(mandateEvent('mandate.revoked', draft.customer, ended, method, user?.id ?? null));
  return true;
}
