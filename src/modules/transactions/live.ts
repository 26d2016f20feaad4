import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { newestFirst } from '../../graphql/cursors.ts';
import { followRows, latestRow, stoppable, textIn } from '../../graphql/live.ts';
import { loadPageBy } from '../../graphql/loaders.ts';
import { type EventRow, lastEventPosition } from '../../outbox/read.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireCustomer } from '../customers/store.ts';
import { TransactionStatus } from './enums.ts';
import { Transaction } from './types.ts';

/** The kinds of events that tell how a payment attempt went, or what became of it. */
const kinds = [
  'payment.received',
  'payment.failed',
  'payment.recovered',
  'payment.retry_failed',
  'payment.refunded',
  'payment.disputed',
  'payment.dispute_resolved',
  'payment_link.completed',
  'payment_link.failed',
] as const;

/** The payment attempt an event is about: the one it names, else the latest for its invoice or payment. */
async function transactionOf(ctx: Context, event: EventRow): Promise<string[]> {
  const named = textIn(event, 'paymentTransactionId');
  if (named !== null) return [named];
  for (const by of ['invoiceId', 'paymentId'] as const) {
    const value = textIn(event, by);
    if (value === null) continue;
    const list = { model: 'Transaction', order: newestFirst } as const;
    const { nodes } = await loadPageBy(ctx, list, by, value, { first: 1 });
    return nodes.map(({ id }) => id);
  }
  return [];
}

const transactionsOf = async (ctx: Context, events: readonly EventRow[]): Promise<string[]> =>
  (await Promise.all(events.map((event) => transactionOf(ctx, event)))).flat();

type Wanted = {
  readonly customerId: string | null;
  readonly statuses: readonly string[] | null;
};

/** The latest payment attempt, then every one that events are about, as it is when it is sent, with one of the statuses. */
async function* followTransactions(
  ctx: Context,
  { customerId, statuses }: Wanted,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<Row<'Transaction'>, void> {
  const wanted = ({ status }: Row<'Transaction'>): boolean => statuses?.includes(status) ?? true;
  for await (const transaction of latestRow(ctx, 'Transaction', { customerId: customerId ?? undefined }))
    if (wanted(transaction)) yield transaction;
  const ids = (events: readonly EventRow[]) => transactionsOf(ctx, events);
  for await (const transaction of followRows(ctx, 'Transaction', { kinds, customerId }, ids, { after, stop }))
    if (wanted(transaction)) yield transaction;
}

builder.subscriptionField('transactionChanged', (t) =>
  t.field({
    type: Transaction,
    description:
      'First the latest payment attempt, if there is one, then every one that succeeds, fails, is refunded or disputed, as it is when it is sent. `customer_not_found` when there is no such customer.',
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({
        description: 'Only those of this customer: our id, else its external id. Defaults to all.',
      }),
      statuses: t.arg({
        type: [TransactionStatus],
        rule: { minItems: 1 },
        description: 'Only those with one of these statuses when they are sent. Defaults to all.',
      }),
    },
    subscribe: async (_root, { customerId, statuses }, ctx) => {
      const customer = customerId ? await requireCustomer(ctx, customerId, 'customerId') : null;
      const after = await lastEventPosition(ctx.sql);
      const wanted = { customerId: customer?.id ?? null, statuses: statuses ?? null };
      return stoppable((stop) => followTransactions(ctx, wanted, after, stop));
    },
    resolve: (transaction) => transaction,
  }),
);
