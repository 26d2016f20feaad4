import type { Context } from '../../context.ts';
import { executeOne, settleOne } from '../../engine/execute.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import { awaitedAttempt, type CheckoutResult, checkoutResult } from './pay.ts';

/**
 * Ends the authentication an open checkout waits for: passed, the checkout completes; failed, it is a decline, `charge_failed`
 * (protocols D4). With a processor at the other end of a network its word counts, and the checkout may go on waiting. Throws `payment_not_found` when none is awaited and `invalid_subscription_status` when the checkout is over.
 */
export async function authenticateCheckout(
  context: Context,
  { subscriptionId, succeed }: { readonly subscriptionId: string; readonly succeed: boolean },
): Promise<CheckoutResult> {
  const subscription = await requireSubscription(context, subscriptionId);
  const attemptId = awaitedAttempt(subscription)?.attemptId ?? null;
  // A processor knows what its payer did; the page only says that it is over.
  const told = attemptId === null ? null : await settleOne(context, attemptId, succeed ? 'inquire' : 'cancel');
  const order = { kind: 'checkout.authenticate', subscriptionId, succeed } as const;
  return checkoutResult(context, subscriptionId, told ?? (await executeOne(context, subscription.customerId, order)));
}
