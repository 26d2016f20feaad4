import { QuittanceError } from '../../domain/errors.ts';
import { builder } from '../../graphql/builder.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { listRows, pageArgs } from '../../graphql/pagination.ts';
import { Transaction, TransactionConnection, TransactionStatus } from './types.ts';

builder.queryField('transactions', (t) =>
  t.field({
    type: TransactionConnection,
    description: 'Payment attempts, newest first.',
    access: { scope: 'read' },
    args: { ...pageArgs(), status: t.arg({ type: TransactionStatus, description: 'Only those with this status.' }) },
    resolve: (_root, args, context) => listRows(context, 'Transaction', args, { filter: { status: args.status ?? undefined } }),
  }),
);

builder.queryField('transaction', (t) =>
  t.field({
    type: Transaction,
    description: 'One payment attempt; `transaction_not_found` when there is none.',
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: async (_root, { id }, context) => {
      const transaction = await loadRow(context, 'Transaction', id);
      if (transaction === null) throw new QuittanceError('transaction_not_found', 'No such transaction.', { param: 'id' });
      return transaction;
    },
  }),
);
