// A payer types a method in at a page of its own: to pay what keeps a subscription from running, or only to replace the stored one
// (SUB-32, SUB-35, SUB-36).
import type { ChargeResult } from '../gateway.ts';
import type { Decision, RecoveryPayCommand, UpdateMethodCommand } from './aggregate.ts';
import { abandonAuthentication, authenticationFailure, requestCharge, requestSetup } from './charging.ts';
import { storeMethod } from './checkout.ts';
import { isCharging } from './lookup.ts';
import { isReactivation, restartRefusal } from './reactivate.ts';
import { chargeFailed, chargeInProgress, statusRefusal } from './refusals.ts';
import type { InvoiceRow, MethodFacts, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** Whether paying an invoice makes its subscription run again: it is in dunning, or waits for a new start. */
const isRecoverable = (subscription: SubscriptionRow, invoice: InvoiceRow): boolean =>
  subscription.status === 'canceled'
    ? isReactivation(subscription, invoice)
    : invoice.status === 'outstanding' && subscription.dunningInvoiceId === invoice.id;

/** Keeps what was typed in until the gateway has answered. */
function ask(work: Work, subscription: SubscriptionRow, attemptId: string, transactionId: string | null, method: MethodFacts): void {
  const pendingCheckout = { attemptId, transactionId, state: 'asked', method, billingAddress: null, taxDocument: null } as const;
  work.subscriptions.put({ ...subscription, pendingCheckout });
}

/**
 * Charges the outstanding invoice by the method typed in, which becomes that of the subscription once it has paid. A decline in dunning uses
 * up the next slot (BIL-42). Refuses with `no_outstanding_invoice` when there is nothing to be paid any more.
 */
export function payRecovery(work: Work, subscription: SubscriptionRow, { invoiceId, method }: RecoveryPayCommand): Decision {
  const invoice = work.invoices.find(invoiceId);
  if (invoice === null || !isRecoverable(subscription, invoice)) {
    return work.refuse({ code: 'no_outstanding_invoice', message: 'Nothing is to be paid here any more.' });
  }
  if (isCharging(work, subscription)) return work.refuse(chargeInProgress);
  const refusal = subscription.status === 'canceled' ? restartRefusal(work, subscription) : null;
  if (refusal !== null) return work.refuse(refusal);
  const { id } = requestCharge(work, subscription, invoice, method, false);
  ask(work, subscription, id, id, method);
  return work.done('charging', subscription.id, invoice.id);
}

/** Asks the gateway to verify and store a method, which then takes the place of the one the subscription has. Charges nothing. */
export function updateMethod(work: Work, subscription: SubscriptionRow, { method }: UpdateMethodCommand): Decision {
  const refusal = statusRefusal('updateMethod', subscription);
  if (refusal !== null) return work.refuse(refusal);
  if (isCharging(work, subscription)) return work.refuse(chargeInProgress);
  // One at the checkout of a plan change may have been left open.
  abandonAuthentication(work, subscription.pendingCheckout);
  ask(work, subscription, requestSetup(work, subscription, method), null, method);
  return work.done('charging', subscription.id);
}

/**
 * Takes the answer about a method typed in outside a checkout: one that settled is stored and becomes that of the subscription. What the
 * answer means for a charge is decided after this; a method that was only to be stored ends here, an issuer's wish for authentication being
 * a decline (BIL-45).
 */
export function methodAnswered(
  work: Work,
  subscription: SubscriptionRow,
  attempt: NonNullable<SubscriptionRow['pendingCheckout']>,
  result: ChargeResult,
): Decision {
  if (result.status === 'unknown') return work.done('unanswered', subscription.id);
  const answered = work.subscriptions.put({ ...subscription, pendingCheckout: null });
  work.release(subscription.id);
  if (result.status === 'requires_action') return work.refuse(chargeFailed(authenticationFailure.code, authenticationFailure.message));
  if (result.status === 'declined') return work.refuse(chargeFailed(result.declineCode, result.message));
  const method = storeMethod(work, subscription, attempt);
  work.subscriptions.put({ ...answered, paymentMethodId: method.id, provider: method.provider, updatedAt: work.now });
  const transaction = attempt.transactionId === null ? null : work.transactions.find(attempt.transactionId);
  if (transaction !== null) work.transactions.put({ ...transaction, paymentMethodId: method.id });
  return work.done('done', subscription.id);
}
