import { builder } from '../../graphql/builder.ts';
import { readList } from '../../graphql/lists.ts';
import { emptyPage } from '../../graphql/pages.ts';
import type { Row } from '../../platform/db/rows.ts';
import { findCustomer } from '../customers/store.ts';
import { paymentList } from './list.ts';
import { requirePayment } from './store.ts';
import { Payment, PaymentConnection } from './types.ts';

builder.queryField('payments', (t) =>
  t.field({
    type: PaymentConnection,
    description:
      'One-time payments, newest first unless they are sorted otherwise. A customer that does not exist has none.',
    rest: { method: 'GET', path: '/payments', view: 'Payment' },
    access: { scope: 'read' },
    args: {
      ...paymentList.args,
      customerId: t.arg.string({ description: 'Our id of a customer, else its external id.' }),
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
    description: 'One one-time payment; `payment_not_found` when there is none.',
    rest: { method: 'GET', path: '/payments/{id}', view: 'Payment', errors: ['payment_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => requirePayment(ctx, id),
  }),
);
