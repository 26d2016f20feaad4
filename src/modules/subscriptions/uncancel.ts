import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireSubscription, type SubscriptionRow } from './find.ts';

/**
 * Withdraws a scheduled cancellation (SUB-29) and answers the subscription as it then is. Throws `subscription_not_found`,
 * `not_scheduled_for_cancellation` and `subscription_already_canceled`.
 */
export async function uncancelSubscription(context: Context, { id }: { readonly id: string }): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(context, id);
  await executeOne(context, customerId, { kind: 'subscription.uncancel', subscriptionId: id });
  return requireSubscription(context, id);
}
