// A payer types a method in at a page of its own: to pay what keeps a subscription from running, or only to
// replace the stored one (SUB-32, SUB-35, SUB-36).
import type { ChargeResult } from '../../provider.ts';
import { abandonAuthentication, authenticationFailure } from '../invoicing/charging.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import { chargeFailed } from '../state/rejections.ts';
import type { MethodDetails, SubscriptionRow } from '../state/rows.ts';
import { storeMethod } from './checkout.ts';

/** Stores what was typed in until the gateway has answered, and abandons an open authentication. */
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

/** Whether an authentication is open that was not taken back, so that it could still take money. */
export const isAwaited = ({ pendingCheckout }: SubscriptionRow, abandoned: string | null): boolean =>
  pendingCheckout !== null && pendingCheckout.attemptId !== abandoned;

/**
 * Takes the answer about a method typed in outside a checkout: one that settled is stored and becomes that of
 * the subscription. What the answer means for a charge is decided after this; a method that was only to be
 * stored ends here. An authentication the issuer asks for waits for the payer until a dunning slot waits for
 * it. Then it is abandoned.
 */
export function methodAnswered(
  draft: Draft,
  subscription: SubscriptionRow,
  attempt: NonNullable<SubscriptionRow['pendingCheckout']>,
  result: ChargeResult,
): Decision {
  if (result.status === 'unknown') return draft.done('unanswered', subscription.id);
  const isAbandoned = attempt.state === 'requires_action' && isWaitedFor(draft, subscription);
  if (result.status === 'requires_action' && !isAbandoned) {
    draft.subscriptions.patch(subscription.id, { pendingCheckout: { ...attempt, state: 'requires_action' } });
    return draft.done('requires_action', subscription.id);
  }
  draft.subscriptions.patch(subscription.id, { pendingCheckout: null });
  draft.release(subscription.id);
  if (result.status === 'requires_action')
    return draft.reject(chargeFailed(authenticationFailure.code, authenticationFailure.message));
  if (result.status === 'declined') return draft.reject(chargeFailed(result.declineCode, result.message));
  const method = storeMethod(draft, subscription, attempt);
  draft.subscriptions.patch(subscription.id, {
    paymentMethodId: method.id,
    provider: method.provider,
    updatedAt: draft.now,
  });
  const transaction = attempt.transactionId === null ? null : draft.transactions.find(attempt.transactionId);
  if (transaction !== null) draft.transactions.patch(transaction.id, { paymentMethodId: method.id });
  return draft.done('done', subscription.id);
}

/** Whether a dunning slot waits for the payer of an invoice to authenticate. */
const isWaitedFor = (draft: Draft, { id }: SubscriptionRow): boolean =>
  draft.deadlinesOf(id).some(({ kind, state }) => kind === 'dunning_retry' && state === 'parked');
