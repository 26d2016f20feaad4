import { followRows, latestRow, stoppable, textIn } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { type EventRow, lastEventPosition } from '../../../outbox/read.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { Invoice } from './types/invoice.ts';

const invoicesOf = (events: readonly EventRow[]): string[] =>
  events.flatMap((event) => textIn(event, 'invoiceId') ?? []);

/** Yields the latest invoice, then each invoice that an event refers to, in its current state. */
async function* followInvoices(
  ctx: Context,
  customerId: string | null,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<Row<'Invoice'>, void> {
  yield* latestRow(ctx, 'Invoice', { customerId: customerId ?? undefined });
  yield* followRows(ctx, 'Invoice', { customerId }, invoicesOf, { after, stop });
}

/** Yields the latest invoice, if any, then every changed invoice of a customer or in the environment. */
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
      'Emits the latest invoice immediately, if any. Then emits the current state of every invoice that is issued, paid, voided, or marked uncollectible.',
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({
        description: 'ID or external ID of the customer whose invoices to follow. Defaults to all customers.',
      }),
    },
    subscribe: async (_root, { customerId }, ctx) => {
      const customer = customerId ? await requireCustomer(ctx, customerId, 'customerId') : null;
      return watchInvoices(ctx, customer?.id ?? null);
    },
    resolve: (invoice) => invoice,
  }),
);
