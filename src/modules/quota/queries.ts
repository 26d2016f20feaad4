import { builder } from '../../graphql/builder.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { defaultSize, listAllowances } from './list.ts';
import { requireAllowance } from './store.ts';
import { UsageQuota, UsageQuotaConnection } from './types.ts';

const customerId = 'Our id of the customer, else its external id.';

builder.queryField('usageQuota', (t) =>
  t.field({
    type: UsageQuota,
    description: 'Used versus included units of one quota feature, at 0 when none was ever added.',
    rest: {
      method: 'GET',
      path: '/usage/quota',
      view: 'UsageQuota',
      errors: ['feature_not_in_plan', 'customer_not_found', 'feature_not_found', 'no_active_subscription'],
    },
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
    description: 'Used versus included units of every quota feature of the plan, in order of their codes.',
    rest: {
      method: 'GET',
      path: '/usage/quota/all',
      view: 'UsageQuota',
      defaultLimit: defaultSize,
      errors: ['customer_not_found', 'no_active_subscription'],
    },
    access: { scope: 'read' },
    args: { ...pageArgs(defaultSize), customerId: t.arg.id({ required: true, description: customerId }) },
    resolve: (_root, args, ctx) => listAllowances(ctx, args),
  }),
);
