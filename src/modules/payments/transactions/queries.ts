import { builder } from '../../../graphql/reading/builder.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { TransactionStatus } from './enums.ts';
import { openDisputes, refundList, transactionList } from './list.ts';
import { listTransactions, requireTransaction } from './store.ts';
import { RefundConnection, Transaction, TransactionConnection } from './types.ts';

builder.queryField('transactions', (t) =>
  t.field({
    type: TransactionConnection,
    description:
      "Lists payment attempts. Newest first by default. Returns an empty list if the customer doesn't exist, or if no customer has the email address.",
    rest: { method: 'GET', path: '/transactions', view: 'TransactionListItem' },
    access: { scope: 'read' },
    args: {
      ...transactionList.args,
      status: t.arg({ type: TransactionStatus, description: 'Status of the payment attempts to include.' }),
      customerId: t.arg.string({ description: 'ID or external ID of the customer to filter by.' }),
      customerEmail: t.arg.string({
        rule: { format: 'email', maxLength: 320 },
        description: 'Email address of the customers to filter by. Case-insensitive.',
      }),
    },
    resolve: (_root, args, ctx, info) => listTransactions(ctx, args, info),
  }),
);

builder.queryField('transaction', (t) =>
  t.field({
    type: Transaction,
    description: 'Returns a payment attempt.',
    rest: {
      method: 'GET',
      path: '/transactions/{id}',
      view: 'Transaction',
    },
    errors: ['transaction_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the transaction.' }) },
    resolve: (_root, { id }, ctx) => requireTransaction(ctx, id),
  }),
);

builder.queryField('refunds', (t) =>
  t.field({
    type: RefundConnection,
    description: 'Lists refunds. Newest first by default.',
    access: { scope: 'read' },
    args: refundList.args,
    resolve: (_root, args, ctx, info) => readList(ctx, refundList, args, { info }),
  }),
);

builder.queryField('disputes', (t) =>
  t.field({
    type: TransactionConnection,
    description: 'Lists payment attempts with an open dispute, earliest `disputeDueBy` first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx, info) => readPage(ctx, openDisputes, args, { info }),
  }),
);
