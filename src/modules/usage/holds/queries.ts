import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { UsageHoldStatus } from './enums.ts';
import { holdsMatching } from './list.ts';
import { requireHold } from './store.ts';
import { UsageHold, UsageHoldConnection } from './types/hold.ts';

builder.queryField('usageHolds', (t) =>
  t.field({
    type: UsageHoldConnection,
    description: 'Lists holds, newest first.',
    rest: { method: 'GET', path: '/usage/holds', view: 'UsageHold' },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      customerId: t.arg.id({ description: 'ID or external ID of the customer to filter by.' }),
      status: t.arg({ type: UsageHoldStatus, description: 'Status to filter by.' }),
    },
    resolve: async (_root, { customerId, status, ...args }, ctx) => {
      const customer = customerId == null ? null : await requireCustomer(ctx, customerId, 'customerId');
      const list = holdsMatching({ customerId: customer?.id, status: status ?? undefined });
      return readPage(ctx, list, args);
    },
  }),
);

builder.queryField('usageHoldById', (t) =>
  t.field({
    type: UsageHold,
    description: 'Returns a hold.',
    rest: { method: 'GET', path: '/usage/holds/{id}', view: 'UsageHold' },
    errors: ['not_found'],
    access: { scope: 'read' },
    args: {
      id: t.arg.id({
        required: true,
        description: 'ID of the hold, or the identifier that you assigned to the hold.',
      }),
    },
    resolve: (_root, { id }, ctx) => requireHold(ctx, String(id)),
  }),
);
