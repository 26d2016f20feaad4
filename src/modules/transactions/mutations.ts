import { builder } from '../../graphql/builder.ts';
import { DisputeOutcome, RefundReason } from './enums.ts';
import { refundTransaction } from './refund.ts';
import { resolveDispute } from './resolve-dispute.ts';
import { retryTransaction } from './retry.ts';
import { Refund, Transaction, TransactionRetry } from './types.ts';

export const TransactionRefundInput = builder.inputType('TransactionRefundInput', {
  description: 'Which attempt to pay back, and how much of it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the transaction.' }),
    amount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: { minimum: 1, graphqlOnly: true },
      description:
        'Minor units of its currency, at least 1. Defaults to all that is left of it. REST always returns all.',
    }),
    reason: t.field({
      type: RefundReason,
      rule: { graphqlOnly: true },
      description: 'Why. Defaults to nothing. REST takes none.',
    }),
  }),
});

builder.mutationField('transactionRefund', (t) =>
  t.field({
    type: Refund,
    description:
      'Pays a settled attempt back. Once all of it is returned the attempt is `refunded`, and if its invoice carries a plan base the subscription is canceled with the reason `refund`. The invoice stays paid; what was bought with it stays with the customer. `validation_error` for an attempt that has not settled, is returned already or is in dispute.',
    rest: {
      method: 'POST',
      path: '/transactions/{id}/refund',
      view: 'Refund',
      errors: ['transaction_not_found', 'payment_failed', 'provider_unsupported'],
    },
    access: { scope: 'finance' },
    args: { input: t.arg({ type: TransactionRefundInput, required: true, description: 'The transaction.' }) },
    resolve: (_root, { input }, ctx) => refundTransaction(ctx, input),
  }),
);

const TransactionRetryInput = builder.inputType('TransactionRetryInput', {
  description: 'Which failed attempt to try again.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the transaction.' }) }),
});

builder.mutationField('transactionRetry', (t) =>
  t.field({
    type: TransactionRetry,
    description:
      'Charges the outstanding invoice of a past-due subscription again, by the method it has now; the failed attempt named stays as it is. A decline is `charge_failed` and uses up the next dunning slot, the fourth one ends the subscription.',
    rest: {
      method: 'POST',
      path: '/transactions/{id}/retry',
      view: 'TransactionRetry',
      errors: [
        'transaction_not_found',
        'no_outstanding_invoice',
        'no_payment_method',
        'charge_in_progress',
        'charge_failed',
      ],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: TransactionRetryInput, required: true, description: 'The transaction.' }) },
    resolve: (_root, { input }, ctx) => retryTransaction(ctx, input.id),
  }),
);

const TransactionDisputeResolveInput = builder.inputType('TransactionDisputeResolveInput', {
  description: 'How the dispute of an attempt ends.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the transaction.' }),
    outcome: t.field({ type: DisputeOutcome, required: true, description: 'Who gets the money.' }),
  }),
});

builder.mutationField('transactionDisputeResolve', (t) =>
  t.field({
    type: Transaction,
    description:
      'Ends a dispute of the sandbox, such as the one after a charge of the test card 4000 0000 0000 0259. Won, the attempt is `succeeded` again; lost, it stays `disputed`. `transaction_not_found`, `validation_error` when no dispute of it is open, `sandbox_only` for live keys.',
    errors: ['transaction_not_found'],
    access: { scope: 'finance', environment: 'sandbox' },
    args: {
      input: t.arg({
        type: TransactionDisputeResolveInput,
        required: true,
        description: 'The transaction and the outcome.',
      }),
    },
    resolve: (_root, { input }, ctx) => resolveDispute(ctx, input),
  }),
);
