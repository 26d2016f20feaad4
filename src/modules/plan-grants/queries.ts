import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requireCustomer } from '../customers/store.ts';
import { PlanGrantConnection } from './types.ts';

/** Answered when no page is asked for, so that a client that never pages loses nothing. */
const defaultSize = 1_000;

builder.queryField('planGrants', (t) =>
  t.field({
    type: PlanGrantConnection,
    description: 'The plan grants of a customer with their history, ended ones too, newest first.',
    rest: {
      method: 'GET',
      path: '/customers/{id}/plan-grants',
      view: 'PlanGrant',
      defaultLimit: defaultSize,
      errors: ['customer_not_found'],
    },
    access: { scope: 'read' },
    args: {
      ...pageArgs(defaultSize),
      id: t.arg.id({ required: true, description: 'Our id of the customer, else its external id.' }),
    },
    resolve: async (_root, { id, ...args }, ctx) => {
      const customer = await requireCustomer(ctx, id);
      return listRows(ctx, 'PlanGrant', args, { filter: { customerId: customer.id }, defaultSize });
    },
  }),
);
