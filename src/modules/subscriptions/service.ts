import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { columnsOf } from '../../graphql/columns.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { union } from '../../infra/columns.ts';
import { readCurrentSubscriptions } from '../../infra/subscription-rows.ts';
import type { SubscriptionRow } from './find.ts';

/** The customer's subscription that is not canceled, an open checkout only where there is nothing else; null without one (SUB-4). Batched. */
export function loadCurrentSubscription(context: Context, customerId: string, info?: GraphQLResolveInfo): Promise<SubscriptionRow | null> {
  const load = context.once('subscription:current', () =>
    batchedByColumns<SubscriptionRow | null>(async (customerIds, columns) => {
      const rows = await readCurrentSubscriptions(context.sql, customerIds, union(columns, new Set(['customerId'])));
      const byCustomer = new Map(rows.map((row) => [row.customerId, row]));
      return (wanted) => byCustomer.get(wanted) ?? null;
    }),
  );
  return load(customerId, info === undefined ? 'all' : columnsOf(info));
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
