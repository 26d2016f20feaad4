import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';

/** Cancels the scheduled plan change and returns the subscription. Throws `no_change_requested` if no change is scheduled. */
export async function revokeScheduledChange(ctx: Context, id: string): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, { kind: 'subscription.revoke_change', subscriptionId: id });
  return requireSubscription(ctx, id);
}
