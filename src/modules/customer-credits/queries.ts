import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireCustomer } from '../customers/store.ts';
import { CustomerCreditConnection } from './types.ts';

/** Answered when no page is asked for, so that a client that never pages loses nothing. */
const defaultSize = 1_000;

builder.queryField('customerCredits', (t) =>
  t.field({
    type: CustomerCreditConnection,
    description: 'The credits of a customer, used up and expired ones too, newest first.',
    rest: {
      method: 'GET',
      path: '/customers/{id}/credits',
      names: { customerId: 'id' },
      view: 'CustomerCredit',
      defaultLimit: defaultSize,
      errors: ['customer_not_found'],
    },
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      customerId: t.arg.id({ required: true, description: 'Our id of the customer, else its external id.' }),
    },
    resolve: async (_root, { customerId, ...args }, ctx) => {
      const customer = await requireCustomer(ctx, customerId, 'customerId');
      return listRows(ctx, 'CustomerCredit', args, { filter: { customerId: customer.id }, defaultSize });
    },
  }),
);
