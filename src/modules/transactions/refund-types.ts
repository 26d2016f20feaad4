import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import { restView } from '../../graphql/rest.ts';
import { Transaction } from './types.ts';
import { RefundReason, RefundStatus } from './words.ts';

export const Refund = builder.prismaObject('Refund', {
  description: 'Money of a settled attempt that goes back.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `ref_…`; the gateway knows the refund by it.' }),
    transactionId: t.exposeID('transactionId', { description: 'The attempt whose money it is.' }),
    amount: t.expose('amountMinor', { type: 'SafeInt', amount: 'MINOR', description: 'What goes back, minor units of `currency`.' }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code, that of the charge.' }),
    chargeId: t.string({
      nullable: true,
      description: "Id of the charge at the provider; null on the platform's own rail, which knows it by `transactionId`.",
      resolve: () => null,
    }),
    status: t.expose('status', { type: RefundStatus, description: 'How it went.' }),
    reason: t.expose('reason', { type: RefundReason, nullable: true, description: 'Why; null when nobody said.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the request.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    transaction: t.field({
      type: Transaction,
      description: 'The attempt whose money it is.',
      resolve: (refund, _args, context) => loadExistingRow(context, 'Transaction', refund.transactionId),
    }),
    object: t.string({ description: 'Always `refund`.', resolve: () => 'refund' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_refund, _args, context) => context.livemode }),
  }),
});

restView('Refund', 'Refund', 'id transactionId amount currency chargeId status reason object livemode');

builder.prismaObjectField('Transaction', 'refunds', (t) =>
  t.field({
    type: [Refund],
    description: 'The refunds of the attempt, oldest first.',
    resolve: (transaction, _args, context) => loadRowsBy(context, 'Refund', 'transactionId', transaction.id, 'seq'),
  }),
);
