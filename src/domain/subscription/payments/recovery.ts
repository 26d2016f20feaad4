// Processes cards entered on hosted pages outside a checkout, either to pay an outstanding invoice or only to
// replace the stored payment method (SUB-32, SUB-35, SUB-36).
import type { ChargeResult } from '../../payments/provider.ts';
import type { MethodDetails, PaymentMethodRow, SubscriptionRow } from '../../rows/rows.ts';
import { abandonAuthentication, authenticationFailure, awaitPayer } from '../invoicing/charging.ts';
import { chargeLeft } from '../lifecycle/payer-collection.ts';
import { scheduleExpiring } from '../schedule/notices.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed } from '../state/rejections.ts';
import { storeMethod } from './checkout.ts';

/** Stores the entered payment method until the provider responds. Abandons an open authentication. */
export function ask(
  draft: Draft,
  subscription: SubscriptionRow,
  attemptId: string,
  transactionId: string | null,
  method: MethodDetails,
): void {
  abandonAuthentication(draft, subscription.pendingCheckout);
  const cardFor = transactionId === null ? 'storing' : 'paying';
  const pendingCheckout = {
    attemptId,
    transactionId,
    state: 'asked',
    method,
    billingAddress: null,
    taxDocument: null,
    cardFor,
  } as const;
  draft.subscriptions.patch(subscription.id, { pendingCheckout });
}

/**
 * Returns true if an open authentication wasn't canceled at the provider, so the payment could still be
 * collected.
 */
export const isAwaited = ({ pendingCheckout }: SubscriptionRow, abandoned: string | null): boolean =>
  pendingCheckout !== null && pendingCheckout.attemptId !== abandoned;

/**
 * Records the result for a payment method that was entered outside a checkout. A verified payment method becomes the
 * subscription's payment method, and the caller then handles the charge. A pending authentication waits for the
 * payer, but is abandoned if a dunning retry needs to run.
 */
export function methodAnswered(
  draft: Draft,
  subscription: SubscriptionRow,
  attempt: NonNullable<SubscriptionRow['pendingCheckout']>,
  result: ChargeResult,
): Decision {
  if (result.status === 'unknown') return draft.done('unanswered', subscription.id);
  const isAbandoned = attempt.state === 'requires_action' && hasParkedRetry(draft, subscription);
  if (result.status === 'requires_action' && !isAbandoned) {
    awaitPayer(draft, attempt.transactionId);
    draft.subscriptions.patch(subscription.id, { pendingCheckout: { ...attempt, state: 'requires_action' } });
    return draft.done('requires_action', subscription.id);
  }
  draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
  draft.release(subscription.id);
  if (result.status === 'requires_action')
    return draft.reject(chargeFailed(authenticationFailure.code, authenticationFailure.message));
  if (result.status === 'declined') return draft.reject(chargeFailed(result.declineCode, result.message));
  const method = keepEntered(draft, subscription, attempt);
  if (attempt.cardFor === 'storing') chargeLeft(draft, draft.subscriptions.get(subscription.id), method);
  return draft.done('done', subscription.id);
}

/** Stores an entered payment method as the subscription's payment method, assigns it to the attempt, and returns it. */
export function keepEntered(
  draft: Draft,
  subscription: SubscriptionRow,
  attempt: NonNullable<SubscriptionRow['pendingCheckout']>,
): PaymentMethodRow {
  const method = storeMethod(draft, subscription, attempt);
  draft.subscriptions.patch(subscription.id, {
    paymentMethodId: method.id,
    provider: method.provider,
    updatedAt: draft.now,
  });
  scheduleExpiring(draft, { ...subscription, paymentMethodId: method.id });
  const transaction = attempt.transactionId === null ? null : draft.transactions.find(attempt.transactionId);
  if (transaction !== null) draft.transactions.patch(transaction.id, { paymentMethodId: method.id });
  return method;
}

/** Returns true if a dunning retry is on hold because the payer hasn't completed the authentication. */
const hasParkedRetry = (draft: Draft, { id }: SubscriptionRow): boolean =>
  draft.deadlinesOf(id).some(({ kind, state }) => kind === 'dunning_retry' && state === 'parked');
