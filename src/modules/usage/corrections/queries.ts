import { builder } from '../../../graphql/reading/builder.ts';
import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { UsageCorrectionConnection } from './types.ts';

const newestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'ucr.',
};

builder.queryField('usageCorrections', (t) =>
  t.field({
    type: UsageCorrectionConnection,
    description: 'Lists corrections of usage events, newest first.',
    rest: { method: 'GET', path: '/usage/corrections', view: 'UsageCorrection' },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      customerId: t.arg.id({ description: 'ID or external ID of the customer to filter by.' }),
    },
    resolve: async (_root, { customerId, ...args }, ctx) => {
      const customer = customerId ? await requireCustomer(ctx, customerId, 'customerId') : null;
      const filter = { customerId: customer?.id };
      return readPage(ctx, { model: 'UsageCorrection', filter, conditions: [], order: newestFirst }, args);
    },
  }),
);
