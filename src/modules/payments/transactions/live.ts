import { followRows, latestRow, stoppable, textIn } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { newestFirst } from '../../../graphql/reading/cursors.ts';
import { loadPageBy } from '../../../graphql/reading/loaders.ts';
import { type EventRow, lastEventPosition } from '../../../outbox/read.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { TransactionStatus } from './enums.ts';
import { Transaction } from './types.ts';

/** Event types that concern a payment attempt's outcome, refunds, or disputes. */
const kinds = [
  'payment.scheduled',
  'payment.processing',
  'payment.returned',
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

/**
 * Returns the payment attempt that an event refers to: the attempt in its data, falling back to the latest attempt for its invoice or
 * payment.
 */
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

/** Yields the latest payment attempt, then each attempt that an event refers to, in its current state, if it has one of the statuses. */
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
      'Emits the latest payment attempt immediately, if any. Then emits the current state of every payment attempt that succeeds, fails, is refunded, or is disputed.',
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({
        description:
          'ID or external ID of the customer whose payment attempts to emit. Defaults to all customers.',
      }),
      statuses: t.arg({
        type: [TransactionStatus],
        rule: { minItems: 1 },
        description:
          'Statuses to include. Matches the current status of a payment attempt when the attempt is emitted. Defaults to all statuses.',
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
