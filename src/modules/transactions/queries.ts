import { builder } from '../../graphql/builder.ts';
import { readList } from '../../graphql/lists.ts';
import { readPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { TransactionStatus } from './enums.ts';
import { openDisputes, refundList, transactionList } from './list.ts';
import { listTransactions, requireTransaction } from './store.ts';
import { RefundConnection, Transaction, TransactionConnection } from './types.ts';

builder.queryField('transactions', (t) =>
  t.field({
    type: TransactionConnection,
    description:
      'Payment attempts, newest first unless they are sorted otherwise. An email address no customer has leads to none.',
    rest: { method: 'GET', path: '/transactions', view: 'TransactionListItem' },
    access: { scope: 'read' },
    args: {
      ...transactionList.args,
      status: t.arg({ type: TransactionStatus, description: 'Only those with this status.' }),
      customerEmail: t.arg.string({
        rule: { format: 'email', maxLength: 320 },
        description:
          'Only those of customers with this email address, exactly as given when they were created.',
      }),
    },
    resolve: (_root, args, ctx, info) => listTransactions(ctx, args, info),
  }),
);

builder.queryField('transaction', (t) =>
  t.field({
    type: Transaction,
    description: 'One payment attempt; `transaction_not_found` when there is none.',
    rest: {
      method: 'GET',
      path: '/transactions/{id}',
      view: 'Transaction',
      errors: ['transaction_not_found'],
    },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => requireTransaction(ctx, id),
  }),
);

builder.queryField('refunds', (t) =>
  t.field({
    type: RefundConnection,
    description: 'Refunds of all attempts, newest first unless they are sorted otherwise.',
    access: { scope: 'read' },
    args: refundList.args,
    resolve: (_root, args, ctx, info) => readList(ctx, refundList, args, { info }),
  }),
);

builder.queryField('disputes', (t) =>
  t.field({
    type: TransactionConnection,
    description: 'Payment attempts whose dispute is open, that with the earliest `disputeDueBy` first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx, info) => readPage(ctx, openDisputes, args, { info }),
  }),
);
