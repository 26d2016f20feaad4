import { builder } from '../../../graphql/reading/builder.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { customerList } from './list.ts';
import { requireCustomer } from './store.ts';
import { Customer, CustomerConnection } from './types.ts';

builder.queryField('customers', (t) =>
  t.field({
    type: CustomerConnection,
    description: 'Lists customers. Newest first by default.',
    rest: { method: 'GET', path: '/customers', view: 'Customer' },
    access: { scope: 'read' },
    args: {
      ...customerList.args,
      externalId: t.arg.string({ description: 'Filters by external ID (exact match).' }),
    },
    resolve: (_root, args, ctx, info) =>
      readList(ctx, customerList, args, {
        filter: { deletedAt: null, externalId: args.externalId ?? undefined },
        info,
      }),
  }),
);

builder.queryField('customer', (t) =>
  t.field({
    type: Customer,
    description: 'Returns a customer by ID or external ID.',
    rest: { method: 'GET', path: '/customers/{id}', view: 'Customer' },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }) },
    resolve: (_root, { id }, ctx) => requireCustomer(ctx, id),
  }),
);
