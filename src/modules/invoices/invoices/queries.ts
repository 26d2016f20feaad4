import { builder } from '../../../graphql/reading/builder.ts';
import { single, withMembers } from '../../../graphql/reading/list-rows.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { emptyPage } from '../../../graphql/reading/pages.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { findCustomer } from '../../customers/customers/store.ts';
import { InvoiceStatus } from './enums.ts';
import { invoiceList } from './list.ts';
import { loadPayment } from './load-parts.ts';
import { requireInvoice } from './store.ts';
import { Invoice, InvoiceConnection } from './types/invoice.ts';
import { InvoicePayment } from './types/invoice-payment.ts';

builder.queryField('invoices', (t) =>
  t.field({
    type: InvoiceConnection,
    description:
      "Lists invoices. Newest first by default. Returns an empty list if the customer or subscription doesn't exist.",
    rest: { method: 'GET', path: '/invoices', view: 'InvoiceListItem' },
    access: { scope: 'read' },
    args: {
      ...invoiceList.args,
      customerId: t.arg.string({ description: 'ID or external ID of the customer to filter by.' }),
      status: t.arg({ type: InvoiceStatus, description: 'Status of the invoices to include.' }),
      subscriptionId: t.arg.string({ description: 'ID of the subscription to filter by.' }),
    },
    resolve: async (_root, args, ctx, info) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      if (customer === null) return emptyPage<Row<'Invoice'>>();
      const { status, subscriptionId } = args;
      const filter = { customerId: customer?.id, subscriptionId: subscriptionId ?? undefined };
      return readList(ctx, invoiceList, withMembers(args, { statuses: single(status) }), { filter, info });
    },
  }),
);

builder.queryField('invoice', (t) =>
  t.field({
    type: Invoice,
    description: 'Returns an invoice with its line items.',
    rest: { method: 'GET', path: '/invoices/{id}', view: 'Invoice' },
    errors: ['invoice_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the invoice.' }) },
    resolve: (_root, { id }, ctx) => requireInvoice(ctx, id),
  }),
);

builder.queryField('invoicePayment', (t) =>
  t.field({
    type: InvoicePayment,
    description:
      'Returns the URL of the payment page of an invoice, and the instructions of its pending payment, such as a Pix code.',
    rest: { method: 'GET', path: '/invoices/{id}/payment-instructions', view: 'InvoicePayment' },
    errors: ['invoice_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the invoice.' }) },
    resolve: async (_root, { id }, ctx) => loadPayment(ctx, await requireInvoice(ctx, id)),
  }),
);
