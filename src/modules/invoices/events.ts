import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { followEvents, stoppable } from '../../graphql/live.ts';
import { loadExistingRow, loadPageBy } from '../../graphql/loaders.ts';
import { type EventRow, lastEventPosition } from '../../infra/event-rows.ts';
import type { Row } from '../../infra/rows.ts';
import { requireCustomer } from '../customers/service.ts';
import { Invoice } from './types.ts';

/** The invoice an event is about; null for events about something else. */
function invoiceIdOf(event: EventRow): string | null {
  const { data } = event;
  const id = typeof data === 'object' && data !== null && 'invoiceId' in data ? data['invoiceId'] : null;
  return typeof id === 'string' ? id : null;
}

/** The latest invoice of the customer, then each invoice of it that an event is about, as it is when told. */
async function* followInvoices(
  context: Context,
  customerId: string,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<Row<'Invoice'>, void> {
  const latest = await loadPageBy(context, 'Invoice', 'customerId', customerId, { first: 1 });
  for (const { node } of latest.edges) yield node;
  for await (const events of followEvents(context, { customerId }, after, stop)) {
    // Several events of one commit are about the same invoice; its row is told once.
    const ids = new Set(events.flatMap((event) => invoiceIdOf(event) ?? []));
    for (const id of ids) yield await loadExistingRow(context, 'Invoice', id);
  }
}

/** The latest invoice of a customer at once, if there is one, then every invoice of it that changes, as it then is. */
export async function watchInvoices(context: Context, customerId: string): Promise<AsyncGenerator<Row<'Invoice'>, void>> {
  const after = await lastEventPosition(context.sql);
  return stoppable((stop) => followInvoices(context, customerId, after, stop));
}

builder.subscriptionField('invoiceChanged', (t) =>
  t.field({
    type: Invoice,
    description:
      'The latest invoice of a customer at once, if there is one, then every invoice of the customer that is issued, paid, voided or given up, as it then is. `customer_not_found` when there is no such customer.',
    access: { scope: 'read' },
    args: { customerId: t.arg.id({ required: true, description: 'Our id of the customer, else its external id.' }) },
    subscribe: async (_root, { customerId }, context) => {
      const customer = await requireCustomer(context, customerId, 'customerId');
      return watchInvoices(context, customer.id);
    },
    resolve: (invoice) => invoice,
  }),
);
