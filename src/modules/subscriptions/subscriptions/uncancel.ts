import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';

/**
 * Revokes a scheduled cancellation (SUB-29) and returns the updated subscription. Throws `subscription_not_found`,
 * `not_scheduled_for_cancellation` and `subscription_already_canceled`.
 */
export async function uncancelSubscription(
  ctx: Context,
  { id }: { readonly id: string },
): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, { kind: 'subscription.uncancel', subscriptionId: id });
  return requireSubscription(ctx, id);
}
