import { builder } from '../../graphql/builder.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import { loadLedger } from './service.ts';
import { ConsumptionLedgerConnection } from './types.ts';

const subscription = { required: true, description: 'Id of a subscription; `subscription_not_found`.' } as const;

builder.queryField('creditLedger', (t) =>
  t.field({
    type: ConsumptionLedgerConnection,
    description: 'What moved the credits of a subscription, plan and bought ones, the latest first (CON-58).',
    access: { scope: 'read' },
    args: { ...pageArgs(), subscriptionId: t.arg.id(subscription) },
    resolve: async (_root, { subscriptionId, ...args }, context) =>
      loadLedger(context, 'credits', (await requireSubscription(context, subscriptionId)).id, args),
  }),
);

builder.queryField('balanceLedger', (t) =>
  t.field({
    type: ConsumptionLedgerConnection,
    description: 'What moved the balance of a subscription, the latest first (CON-58).',
    access: { scope: 'read' },
    args: { ...pageArgs(), subscriptionId: t.arg.id(subscription) },
    resolve: async (_root, { subscriptionId, ...args }, context) =>
      loadLedger(context, 'balance', (await requireSubscription(context, subscriptionId)).id, args),
  }),
);
