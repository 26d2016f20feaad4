import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { newestFirst } from '../../graphql/cursors.ts';
import { followEvents, stoppable } from '../../graphql/live.ts';
import { loadExistingRow, loadPageBy } from '../../graphql/loaders.ts';
import { type EventRow, lastEventPosition } from '../../outbox/read.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireCustomer } from '../customers/store.ts';
import { Invoice } from './types/invoice.ts';

/** The invoice an event is about; null for events about something else. */
function invoiceIdOf(event: EventRow): string | null {
  const { data } = event;
  const id = typeof data === 'object' && data !== null && 'invoiceId' in data ? data['invoiceId'] : null;
  return typeof id === 'string' ? id : null;
}

/** The latest invoice of the customer, then each invoice of it that an event is about, as it is when it is sent. */
async function* followInvoices(
  ctx: Context,
  customerId: string,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<Row<'Invoice'>, void> {
  const invoices = { model: 'Invoice', order: newestFirst } as const;
  const { nodes } = await loadPageBy(ctx, invoices, 'customerId', customerId, { first: 1 });
  yield* nodes;
  for await (const events of followEvents(ctx, { customerId }, after, stop)) {
    // Several events of one commit are about the same invoice; its row is sent once.
    const ids = new Set(events.flatMap((event) => invoiceIdOf(event) ?? []));
    for (const id of ids) yield await loadExistingRow(ctx, 'Invoice', id);
  }
}

/** The latest invoice of a customer at once, if there is one, then every invoice of it that changes, as it is at that time. */
export async function watchInvoices(
  ctx: Context,
  customerId: string,
): Promise<AsyncGenerator<Row<'Invoice'>, void>> {
  const after = await lastEventPosition(ctx.sql);
  return stoppable((stop) => followInvoices(ctx, customerId, after, stop));
}

builder.subscriptionField('invoiceChanged', (t) =>
  t.field({
    type: Invoice,
    description:
      'First the latest invoice of a customer, if there is one, then every invoice of the customer that is issued, paid, voided or given up, as it is at that time. `customer_not_found` when there is no such customer.',
    access: { scope: 'read' },
    args: {
      customerId: t.arg.id({ required: true, description: 'Our id of the customer, else its external id.' }),
    },
    subscribe: async (_root, { customerId }, ctx) => {
      const customer = await requireCustomer(ctx, customerId, 'customerId');
      return watchInvoices(ctx, customer.id);
    },
    resolve: (invoice) => invoice,
  }),
);
