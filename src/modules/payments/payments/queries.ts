import { builder } from '../../../graphql/reading/builder.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { emptyPage } from '../../../graphql/reading/pages.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { findCustomer } from '../../customers/customers/store.ts';
import { paymentList } from './list.ts';
import { requirePayment } from './store.ts';
import { Payment, PaymentConnection } from './types.ts';

builder.queryField('payments', (t) =>
  t.field({
    type: PaymentConnection,
    description:
      "Lists one-time payments. Newest first by default. Returns an empty list if the customer doesn't exist.",
    rest: { method: 'GET', path: '/payments', view: 'Payment' },
    access: { scope: 'read' },
    args: {
      ...paymentList.args,
      customerId: t.arg.string({ description: 'ID or external ID of the customer to filter by.' }),
    },
    resolve: async (_root, args, ctx) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      if (customer === null) return emptyPage<Row<'Payment'>>();
      return readList(ctx, paymentList, args, { filter: { customerId: customer?.id } });
    },
  }),
);

builder.queryField('payment', (t) =>
  t.field({
    type: Payment,
    description: 'Returns a one-time payment.',
    rest: { method: 'GET', path: '/payments/{id}', view: 'Payment' },
    errors: ['payment_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the payment.' }) },
    resolve: (_root, { id }, ctx) => requirePayment(ctx, id),
  }),
);
