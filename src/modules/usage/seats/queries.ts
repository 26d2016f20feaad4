import { builder } from '../../../graphql/reading/builder.ts';
import { requireAllSeats, requireSeats } from './store.ts';
import { SeatBalance, SeatBalanceCollection } from './types.ts';

const customerId = 'ID or external ID of the customer.';

builder.queryField('seatBalance', (t) =>
  t.field({
    type: SeatBalance,
    description:
      "Returns a customer's seats for one feature. The number of seats is 0 if the customer has never had seats. Seats of a feature in an earlier plan are also returned.",
    rest: {
      method: 'GET',
      path: '/seats/balance',
      view: 'SeatBalance',
    },
    errors: ['customer_not_found', 'feature_not_found', 'no_active_subscription'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: customerId }),
      featureCode: t.arg.string({ required: true, description: 'Code of a seat feature.' }),
    },
    resolve: (_root, args, ctx) => requireSeats(ctx, args),
  }),
);

builder.queryField('seatBalances', (t) =>
  t.field({
    type: SeatBalanceCollection,
    description: "Returns the number of seats for each seat feature of the customer's plan.",
    rest: {
      method: 'GET',
      path: '/seats/balances',
      view: 'SeatBalanceCollection',
    },
    errors: ['customer_not_found', 'no_active_subscription'],
    access: { scope: 'read' },
    args: { customerId: t.arg.id({ required: true, description: customerId }) },
    resolve: async (_root, args, ctx) => ({ seats: await requireAllSeats(ctx, args.customerId) }),
  }),
);
