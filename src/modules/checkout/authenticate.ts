import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import { type CheckoutResult, checkoutResult } from './pay.ts';

/**
 * Ends the authentication an open checkout waits for: passed, the checkout completes; failed, it is a decline, `charge_failed`
 * (protocols D4). Throws `payment_not_found` when none is awaited and `invalid_subscription_status` when the checkout is over.
 */
export async function authenticateCheckout(
  context: Context,
  { subscriptionId, succeed }: { readonly subscriptionId: string; readonly succeed: boolean },
): Promise<CheckoutResult> {
  const { customerId } = await requireSubscription(context, subscriptionId);
  const { status } = await executeOne(context, customerId, { kind: 'checkout.authenticate', subscriptionId, succeed });
  return checkoutResult(context, subscriptionId, status);
}
