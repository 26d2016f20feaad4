import { executeOne, settleOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription } from '../../subscriptions/subscriptions/store.ts';
import { awaitedAtCheckout, type CheckoutResult, checkoutResult } from './pay.ts';

/**
 * Completes the pending authentication for an open checkout. If the authentication succeeded, the checkout completes. If it failed, throws
 * `charge_failed`. With a remote payment provider, the authentication stays pending until the provider reports the outcome. Throws
 * `payment_not_found` if no authentication is pending, and `invalid_subscription_status` if the checkout isn't open.
 */
export async function authenticateCheckout(
  ctx: Context,
  { subscriptionId, succeed }: { readonly subscriptionId: string; readonly succeed: boolean },
): Promise<CheckoutResult> {
  const subscription = await requireSubscription(ctx, subscriptionId);
  const attemptId = awaitedAtCheckout(subscription)?.attemptId ?? null;
  // The payment provider reports the outcome. The page only reports that the payer finished the authentication.
  const emitted = attemptId === null ? null : await settleOne(ctx, attemptId, succeed ? 'inquire' : 'cancel');
  const command = { kind: 'checkout.authenticate', subscriptionId, succeed } as const;
  return checkoutResult(
    ctx,
    subscriptionId,
    emitted ?? (await executeOne(ctx, subscription.customerId, command)),
  );
}
