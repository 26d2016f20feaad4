import { builder } from '../../../graphql/reading/builder.ts';
import { TransactionStatus } from './enums.ts';
import { transactionList } from './list.ts';
import { loadCustomerTotals } from './load-totals.ts';
import { CustomerTotals } from './types/totals.ts';

builder.prismaObjectFields('Customer', (t) => ({
  transactions: t.page('transactions', {
    description: 'Payment attempts of the customer.',
    list: transactionList,
    filter: {
      status: t.arg({ type: TransactionStatus, description: 'Status of the payment attempts to include.' }),
    },
  }),
  totals: t.computed({
    type: CustomerTotals,
    description: 'Payment totals of the customer.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadCustomerTotals(ctx, id),
  }),
}));

builder.prismaObjectField('Subscription', 'transactions', (t) =>
  t.page('transactions', {
    description: 'Payment attempts of the subscription.',
    list: transactionList,
    filter: {
      status: t.arg({ type: TransactionStatus, description: 'Status of the payment attempts to include.' }),
    },
  }),
);

builder.prismaObjectField('Invoice', 'amountRefunded', (t) =>
  t.fromRows('transactions', {
    type: 'SafeInt',
    amount: 'MINOR',
    description: 'Total of the successful refunds, in the smallest currency unit.',
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
      'Stored cards of the customer, newest first. Includes replaced cards, but not removed cards.',
  }),
);

builder.prismaObjectField('Customer', 'mandates', (t) =>
  t.rows('mandates', {
    orderBy: 'seq',
    newestFirst: true,
    description: 'Mandates for bank debits that the customer accepted, newest first.',
  }),
);

builder.prismaObjectField('Transaction', 'paymentMethod', (t) =>
  t.row('paymentMethod', { description: 'Charged card. `null` if no stored card was charged.' }),
);
