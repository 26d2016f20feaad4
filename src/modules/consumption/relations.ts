import { builder } from '../../graphql/builder.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { loadAccess } from '../subscriptions/load-consumption.ts';
import { hasAccess } from '../subscriptions/load-terms.ts';
import { usageEventList } from '../usage/list.ts';
import { UsageEventConnection } from '../usage/types/usage.ts';
import { loadLedger } from './store.ts';
import { ConsumptionLedgerConnection, SubscriptionUsage } from './types.ts';

builder.prismaObjectFields('Subscription', (t) => ({
  creditLedger: t.computed({
    type: ConsumptionLedgerConnection,
    description: 'What moved its credits, the latest first.',
    args: pageArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadLedger(ctx, 'credits', id, args),
  }),
  balanceLedger: t.computed({
    type: ConsumptionLedgerConnection,
    description: 'What moved its balance, the latest first.',
    args: pageArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadLedger(ctx, 'balance', id, args),
  }),
  usage: t.field({
    type: [SubscriptionUsage],
    description:
      'What was used of each usage feature in the open window, in order of their codes; empty without access.',
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
    description: 'Usage events of the customer, latest recorded first.',
  }),
);
