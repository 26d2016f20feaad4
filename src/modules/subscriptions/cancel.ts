import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';

/** Which subscription to cancel, why, and whether at once. */
export type CancelSubscriptionInput = {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly immediate?: boolean | null | undefined;
};

/**
 * Cancels a subscription at the end of its period, or immediately where requested or where there is nothing to wait for (SUB-23, SUB-24), and
 * answers it as it is at that time. Throws `subscription_not_found` and the codes of SUB-21.
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
