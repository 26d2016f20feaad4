import { builder } from '../../graphql/builder.ts';
import { TransactionStatus } from './enums.ts';
import { transactionList } from './list.ts';
import { loadCustomerTotals } from './load-totals.ts';
import { CustomerTotals } from './types/totals.ts';

builder.prismaObjectFields('Customer', (t) => ({
  transactions: t.page('transactions', {
    description: 'The attempts to charge the customer.',
    list: transactionList,
    filter: { status: t.arg({ type: TransactionStatus, description: 'Only those with this status.' }) },
  }),
  totals: t.computed({
    type: CustomerTotals,
    description: 'What the customer has paid and owes.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadCustomerTotals(ctx, id),
  }),
}));

builder.prismaObjectField('Subscription', 'transactions', (t) =>
  t.page('transactions', {
    description: 'The attempts to charge for the subscription.',
    list: transactionList,
    filter: { status: t.arg({ type: TransactionStatus, description: 'Only those with this status.' }) },
  }),
);

builder.prismaObjectField('Invoice', 'amountRefunded', (t) =>
  t.fromRows('transactions', {
    type: 'SafeInt',
    amount: 'MINOR',
    description: 'What confirmed refunds have returned of its payments, minor units.',
    orderBy: 'seq',
    columns: ['refundedMinor'],
    resolve: (attempts) => attempts.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0n),
  }),
);

builder.prismaObjectField('Customer', 'paymentMethods', (t) =>
  t.rows('paymentMethods', {
    orderBy: 'seq',
    where: { removedAt: null },
    newestFirst: true,
    description:
      'The cards the customer has stored and not removed, the latest first, replaced ones included.',
  }),
);

builder.prismaObjectField('Transaction', 'paymentMethod', (t) =>
  t.row('paymentMethod', { description: 'The card that was charged; null where none was stored.' }),
);
