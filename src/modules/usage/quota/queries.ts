import { builder } from '../../../graphql/reading/builder.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { defaultSize, listAllowances } from './list.ts';
import { requireAllowance } from './store.ts';
import { UsageQuota, UsageQuotaConnection } from './types.ts';

const customerId = 'ID or external ID of the customer.';

builder.queryField('usageQuota', (t) =>
  t.field({
    type: UsageQuota,
    description:
      "Returns the customer's current units and the included units of a quota feature. The current number is 0 if no units have ever been added.",
    rest: {
      method: 'GET',
      path: '/usage/quota',
      view: 'UsageQuota',
    },
    errors: ['feature_not_in_plan', 'customer_not_found', 'feature_not_found', 'no_active_subscription'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: customerId }),
      featureCode: t.arg.string({ required: true, description: 'Code of a quota feature.' }),
    },
    resolve: (_root, args, ctx) => requireAllowance(ctx, args),
  }),
);

builder.queryField('usageQuotas', (t) =>
  t.field({
    type: UsageQuotaConnection,
    description:
      'Lists the used and included units of each quota feature of the plan, sorted by feature code.',
    rest: {
      method: 'GET',
      path: '/usage/quota/all',
      view: 'UsageQuota',
      defaultLimit: defaultSize,
    },
    errors: ['customer_not_found', 'no_active_subscription'],
    access: { scope: 'read' },
    args: { ...pageArgs(defaultSize), customerId: t.arg.id({ required: true, description: customerId }) },
    resolve: (_root, args, ctx) => listAllowances(ctx, args),
  }),
);
