import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';

/** Withdraws the change that waits for the end of the period, and answers the subscription. Throws `no_change_requested` where none does. */
export async function revokeScheduledChange(ctx: Context, id: string): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, { kind: 'subscription.revoke_change', subscriptionId: id });
  return requireSubscription(ctx, id);
}
