import type { Context } from '../../context.ts';
import { executeOne, settleOne } from '../../engine/execute.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { awaitedAtCheckout, type CheckoutResult, checkoutResult } from './pay.ts';

/**
 * Ends the authentication an open checkout waits for: passed, the checkout completes; failed, it is a decline, `charge_failed`
 *. With a processor at the other end of a network its word counts, and the checkout may go on waiting. Throws `payment_not_found` when none is awaited and `invalid_subscription_status` when the checkout is over.
 */
export async function authenticateCheckout(
  ctx: Context,
  { subscriptionId, succeed }: { readonly subscriptionId: string; readonly succeed: boolean },
): Promise<CheckoutResult> {
  const subscription = await requireSubscription(ctx, subscriptionId);
  const attemptId = awaitedAtCheckout(subscription)?.attemptId ?? null;
  // A processor knows what its payer did; the page only says that it is over.
  const emitted = attemptId === null ? null : await settleOne(ctx, attemptId, succeed ? 'inquire' : 'cancel');
  const command = { kind: 'checkout.authenticate', subscriptionId, succeed } as const;
  return checkoutResult(
    ctx,
    subscriptionId,
    emitted ?? (await executeOne(ctx, subscription.customerId, command)),
  );
}
