import { builder } from '../../../graphql/reading/builder.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireCustomer } from '../customers/store.ts';
import { creditList } from './list.ts';
import { CustomerCreditConnection } from './types.ts';

/** Default page size. The default is large so that API clients that don't paginate get all credits. */
const defaultSize = 1_000;

builder.queryField('customerCredits', (t) =>
  t.field({
    type: CustomerCreditConnection,
    description: 'Lists the credits of a customer, including used and expired credits, newest first.',
    rest: {
      method: 'GET',
      path: '/customers/{id}/credits',
      names: { customerId: 'id' },
      view: 'CustomerCredit',
      defaultLimit: defaultSize,
    },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      customerId: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
    },
    resolve: async (_root, { customerId, ...args }, ctx) => {
      const customer = await requireCustomer(ctx, customerId, 'customerId');
      return readPage(ctx, { ...creditList, filter: { customerId: customer.id } }, args, { defaultSize });
    },
  }),
);
