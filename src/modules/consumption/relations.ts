import type { AccessFacts } from '../../domain/consumption/access.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadPageBy } from '../../graphql/loaders.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { Feature } from '../features/types.ts';
import { loadAccess } from '../subscriptions/consumption.ts';
import { hasAccess } from '../subscriptions/terms.ts';
import { UsageEventConnection } from '../usage/types.ts';
import { loadLedger } from './service.ts';
import { ConsumptionLedgerConnection } from './types.ts';

// What customers and subscriptions consumed; each level of a nested query is one statement.

const SubscriptionUsage = builder.objectRef<AccessFacts>('SubscriptionUsage').implement({
  description: 'What was used of a feature in the open window.',
  fields: (t) => ({
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    feature: t.field({
      type: Feature,
      description: 'The feature.',
      resolve: ({ feature }, _args, context) => loadExistingRow(context, 'Feature', feature.id),
    }),
    windowStart: t.field({ type: 'DateTime', description: 'Start of the window, inclusive.', resolve: ({ window }) => window.start }),
    windowEnd: t.field({ type: 'DateTime', description: 'End of the window, exclusive.', resolve: ({ window }) => window.end }),
    value: t.field({
      type: 'SafeInt',
      description: 'Units, corrections counted; tokens of AI models.',
      resolve: ({ meter }) => meter.counter.total,
    }),
    consumed: t.field({
      type: 'SafeInt',
      description: 'What that took from the pools: credits, or money with 10000 being 1.00; 0 on metered plans.',
      resolve: ({ meter }) => meter.counter.consumed,
    }),
  }),
});

builder.prismaObjectFields('Subscription', (t) => ({
  creditLedger: t.field({
    type: ConsumptionLedgerConnection,
    description: 'What moved its credits, the latest first.',
    args: pageArgs(),
    resolve: ({ id }, args, context) => loadLedger(context, 'credits', id, args),
  }),
  balanceLedger: t.field({
    type: ConsumptionLedgerConnection,
    description: 'What moved its balance, the latest first.',
    args: pageArgs(),
    resolve: ({ id }, args, context) => loadLedger(context, 'balance', id, args),
  }),
  usage: t.field({
    type: [SubscriptionUsage],
    description: 'What was used of each usage feature in the open window, in order of their codes; empty without access.',
    resolve: async (subscription, _args, context) =>
      hasAccess(subscription) ? (await loadAccess(context, subscription)).filter(({ feature }) => feature.type === 'usage') : [],
  }),
}));

builder.prismaObjectField('Customer', 'usageEvents', (t) =>
  t.field({
    type: UsageEventConnection,
    description: 'Usage events of the customer, latest recorded first.',
    args: pageArgs(),
    resolve: ({ id }, args, context) => loadPageBy(context, 'UsageEvent', 'customerId', id, args),
  }),
);
