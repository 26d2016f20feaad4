import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import type { TransactionRetry as Retry } from './retry.ts';

const RetryStatus = builder.enumType('RetryStatus', {
  description: 'How far a new attempt is.',
  values: {
    processing: { description: 'The gateway has not answered.' },
    succeeded: { description: 'Settled.' },
  },
});

export const TransactionRetry = builder.objectRef<Retry>('TransactionRetry').implement({
  description: 'Outcome of trying a failed renewal again.',
  fields: (t) => ({
    originalTransactionId: t.exposeID('originalTransactionId', { description: 'The failed attempt, which stays as it is.' }),
    invoiceId: t.exposeID('invoiceId', { description: 'The invoice to be settled.' }),
    status: t.expose('status', { type: RetryStatus, description: 'How far the new attempt is.' }),
    object: t.string({ description: 'Always `transaction_retry`.', resolve: () => 'transaction_retry' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_retry, _args, context) => context.livemode }),
  }),
});

restView('TransactionRetry', 'TransactionRetry', 'originalTransactionId invoiceId status object livemode');
