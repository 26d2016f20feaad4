import { builder } from '../../graphql/builder.ts';
import { requireAllSeats, requireSeats } from './store.ts';
import { SeatBalance, SeatBalanceCollection } from './types.ts';

const customerId = 'Our id of the customer, else its external id.';

builder.queryField('seatBalance', (t) =>
  t.field({
    type: SeatBalance,
    description:
      'The seats of one feature, 0 when there never were any. A feature of an earlier plan keeps its count.',
    rest: {
      method: 'GET',
      path: '/seats/balance',
      view: 'SeatBalance',
      errors: ['customer_not_found', 'feature_not_found', 'no_active_subscription'],
    },
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: customerId }),
      featureCode: t.arg.string({ required: true, description: 'Code of a seats feature.' }),
    },
    resolve: (_root, args, ctx) => requireSeats(ctx, args),
  }),
);

builder.queryField('seatBalances', (t) =>
  t.field({
    type: SeatBalanceCollection,
    description: 'The seats of every seats feature of the plan a customer is on.',
    rest: {
      method: 'GET',
      path: '/seats/balances',
      view: 'SeatBalanceCollection',
      errors: ['customer_not_found', 'no_active_subscription'],
    },
    access: { scope: 'read' },
    args: { customerId: t.arg.id({ required: true, description: customerId }) },
    resolve: async (_root, args, ctx) => ({ seats: await requireAllSeats(ctx, args.customerId) }),
  }),
);
