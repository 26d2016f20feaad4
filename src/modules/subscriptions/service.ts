import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import { readCurrentSubscriptions } from '../../infra/subscription-rows.ts';
import type { SubscriptionRow } from './find.ts';

/** The customer's subscription that is not canceled, an open checkout only where there is nothing else; null without one (SUB-4). Batched. */
export function loadCurrentSubscription(context: Context, customerId: string): Promise<SubscriptionRow | null> {
  const loader = context.once('subscription:current', () => {
    return new DataLoader<string, SubscriptionRow | null>(async (customerIds) => {
      const rows = await readCurrentSubscriptions(context.sql, customerIds);
      const byCustomer = new Map(rows.map((row) => [row.customerId, row]));
      return customerIds.map((id) => byCustomer.get(id) ?? null);
    });
  });
  return loader.load(customerId);
}

/** The address of the checkout of a subscription that waits for payment, the same each time (SUB-14); null in every other status. */
export async function checkoutUrl(context: Context, { id, status }: Pick<SubscriptionRow, 'id' | 'status'>): Promise<string | null> {
  return status === 'pending_payment' ? openCheckoutUrl(context, id) : null;
}

/** The address of the checkout of a subscription, whatever its status. */
export async function openCheckoutUrl(context: Context, id: string): Promise<string> {
  const { secrets, config } = context.app;
  const token = await secrets.signPage({ page: 'checkout', environmentId: context.environment.id, subjectId: id });
  return `${config.publicUrl}/checkout/${token}`;
}
