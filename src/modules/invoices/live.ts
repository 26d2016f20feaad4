import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { followRows, latestRow, stoppable, textIn } from '../../graphql/live.ts';
import { type EventRow, lastEventPosition } from '../../outbox/read.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireCustomer } from '../customers/store.ts';
import { Invoice } from './types/invoice.ts';

const invoicesOf = (events: readonly EventRow[]): string[] =>
  events.flatMap((event) => textIn(event, 'invoiceId') ?? []);

/** The latest invoice, then each invoice that an event is about, as it is when it is sent. */
async function* followInvoices(
  ctx: Context,
  customerId: string | null,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<Row<'Invoice'>, void> {
  yield* latestRow(ctx, 'Invoice', { customerId: customerId ?? undefined });
  yield* followRows(ctx, 'Invoice', { customerId }, invoicesOf, { after, stop });
}

/** The latest invoice at once, if there is one, then every invoice that changes, as it is at that time: of a customer, or of the environment. */
export async function watchInvoices(
  ctx: Context,
  customerId: string | null,
): Promise<AsyncGenerator<Row<'Invoice'>, void>> {
  const after = await lastEventPosition(ctx.sql);
  return stoppable((stop) => followInvoices(ctx, customerId, after, stop));
}

builder.subscriptionField('invoiceChanged', (t) =>
  t.field({
    type: Invoice,
    description:
      'First the latest invoice, if there is one, then every invoice that is issued, paid, voided or given up, as it is at that time. `customer_not_found` when there is no such customer.',
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({
        description: 'Only those of this customer: our id, else its external id. Defaults to all.',
      }),
    },
    subscribe: async (_root, { customerId }, ctx) => {
      const customer = customerId ? await requireCustomer(ctx, customerId, 'customerId') : null;
      return watchInvoices(ctx, customer?.id ?? null);
    },
    resolve: (invoice) => invoice,
  }),
);
