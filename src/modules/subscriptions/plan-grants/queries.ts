import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { PlanGrantConnection } from './types.ts';

/** Default page size. The default is large so that API clients that don't paginate get all plan grants. */
const defaultSize = 1_000;

builder.queryField('planGrants', (t) =>
  t.field({
    type: PlanGrantConnection,
    description:
      'Lists the plan grants of a customer with their history, including ended grants, newest first.',
    rest: {
      method: 'GET',
      path: '/customers/{id}/plan-grants',
      view: 'PlanGrant',
      defaultLimit: defaultSize,
    },
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      id: t.arg.id({ required: true, description: 'ID or external ID of the customer.' }),
    },
    resolve: async (_root, { id, ...args }, ctx) => {
      const customer = await requireCustomer(ctx, id);
      return listRows(ctx, 'PlanGrant', args, { filter: { customerId: customer.id }, defaultSize });
    },
  }),
);
