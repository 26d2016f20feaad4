import { builder } from '../../../graphql/reading/builder.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireSubscription } from '../../subscriptions/subscriptions/store.ts';
import { loadLedger } from './store.ts';
import { ConsumptionLedgerConnection } from './types.ts';

const subscription = {
  required: true,
  description: 'ID of the subscription.',
} as const;

builder.queryField('creditLedger', (t) =>
  t.field({
    type: ConsumptionLedgerConnection,
    description:
      'Lists the credit transactions of a subscription, for plan credits and purchased credits, newest first.',
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: { ...pageArgs(), subscriptionId: t.arg.id(subscription) },
    resolve: async (_root, { subscriptionId, ...args }, ctx) =>
      loadLedger(ctx, 'credits', (await requireSubscription(ctx, subscriptionId)).id, args),
  }),
);

builder.queryField('balanceLedger', (t) =>
  t.field({
    type: ConsumptionLedgerConnection,
    description: 'Lists the balance transactions of a subscription, newest first.',
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: { ...pageArgs(), subscriptionId: t.arg.id(subscription) },
    resolve: async (_root, { subscriptionId, ...args }, ctx) =>
      loadLedger(ctx, 'balance', (await requireSubscription(ctx, subscriptionId)).id, args),
  }),
);
