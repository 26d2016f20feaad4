import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { Row } from '../../infra/rows.ts';

export type SubscriptionRow = Row<'Subscription'>;

/** The subscription with this id. Throws `subscription_not_found`. */
export async function requireSubscription(context: Context, id: string): Promise<SubscriptionRow> {
  const subscription = await context.db.subscription.findFirst({ where: { id } });
  if (subscription === null) throw new QuittanceError('subscription_not_found', 'No such subscription.', { param: 'id' });
  return subscription;
}

/** Makes sure that all these subscriptions exist, in one statement. Throws `subscription_not_found`, naming the first that does not. */
export async function requireSubscriptions(context: Context, ids: readonly string[]): Promise<void> {
  const rows = await context.db.subscription.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing === undefined) return;
  throw new QuittanceError('subscription_not_found', `There is no subscription ${missing}.`, { param: 'subscriptionIds' });
}
