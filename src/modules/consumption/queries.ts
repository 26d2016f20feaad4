import { builder } from '../../graphql/builder.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { loadLedger } from './store.ts';
import { ConsumptionLedgerConnection } from './types.ts';

const subscription = {
  required: true,
  description: 'Id of a subscription; `subscription_not_found`.',
} as const;

builder.queryField('creditLedger', (t) =>
  t.field({
    type: ConsumptionLedgerConnection,
    description: 'What moved the credits of a subscription, plan and bought ones, the latest first.',
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
    description: 'What moved the balance of a subscription, the latest first.',
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: { ...pageArgs(), subscriptionId: t.arg.id(subscription) },
    resolve: async (_root, { subscriptionId, ...args }, ctx) =>
      loadLedger(ctx, 'balance', (await requireSubscription(ctx, subscriptionId)).id, args),
  }),
);
