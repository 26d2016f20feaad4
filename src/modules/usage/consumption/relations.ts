import { builder } from '../../../graphql/reading/builder.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { loadAccess } from '../../subscriptions/subscriptions/load-consumption.ts';
import { hasAccess } from '../../subscriptions/subscriptions/load-terms.ts';
import { usageEventList } from '../usage/list.ts';
import { UsageEventConnection } from '../usage/types/usage.ts';
import { loadLedger } from './store.ts';
import { ConsumptionLedgerConnection, SubscriptionUsage } from './types.ts';

builder.prismaObjectFields('Subscription', (t) => ({
  creditLedger: t.computed({
    type: ConsumptionLedgerConnection,
    description: 'Credit transactions of the subscription, newest first.',
    args: pageArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadLedger(ctx, 'credits', id, args),
  }),
  balanceLedger: t.computed({
    type: ConsumptionLedgerConnection,
    description: 'Balance transactions of the subscription, newest first.',
    args: pageArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadLedger(ctx, 'balance', id, args),
  }),
  usage: t.field({
    type: [SubscriptionUsage],
    description:
      "Usage of the subscription's features with the type `usage` in their current usage windows, sorted by feature code. Empty if the subscription doesn't give access.",
    resolve: async (subscription, _args, ctx) =>
      hasAccess(subscription)
        ? (await loadAccess(ctx, subscription)).filter(({ feature }) => feature.type === 'usage')
        : [],
  }),
}));

builder.prismaObjectField('Customer', 'usageEvents', (t) =>
  t.page('usageEvents', {
    type: UsageEventConnection,
    list: usageEventList,
    description: 'Usage events of the customer, most recently recorded first.',
  }),
);
