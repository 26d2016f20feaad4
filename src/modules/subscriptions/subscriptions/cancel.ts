import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';

export type CancelSubscriptionInput = {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly immediate?: boolean | null | undefined;
};

/**
 * Cancels a subscription at the end of the current period, or immediately if requested or if the subscription has no current period
 * (SUB-23, SUB-24). Returns the updated subscription. Throws `subscription_not_found` and the errors listed in SUB-21.
 */
export async function cancelSubscription(
  ctx: Context,
  { id, reason, immediate }: CancelSubscriptionInput,
): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, {
    kind: 'subscription.cancel',
    subscriptionId: id,
    reason: reason ?? null,
    immediate: immediate ?? false,
  });
  return requireSubscription(ctx, id);
}
