import { builder } from '../../graphql/builder.ts';
import { readList } from '../../graphql/lists.ts';
import { customerList } from './list.ts';
import { requireCustomer } from './store.ts';
import { Customer, CustomerConnection } from './types.ts';

builder.queryField('customers', (t) =>
  t.field({
    type: CustomerConnection,
    description: 'Customers, newest first unless they are sorted otherwise.',
    rest: { method: 'GET', path: '/customers', view: 'Customer' },
    access: { scope: 'read' },
    args: { ...customerList.args, externalId: t.arg.string({ description: 'Exact external id.' }) },
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
    description: 'One customer by our id or the external id; `customer_not_found` when there is none.',
    rest: { method: 'GET', path: '/customers/{id}', view: 'Customer', errors: ['customer_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Our id, else the external id.' }) },
    resolve: (_root, { id }, ctx) => requireCustomer(ctx, id),
  }),
);
