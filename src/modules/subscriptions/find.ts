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
