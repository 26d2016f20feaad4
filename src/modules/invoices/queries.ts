import { builder } from '../../graphql/builder.ts';
import { single, withMembers } from '../../graphql/list-rows.ts';
import { readList } from '../../graphql/lists.ts';
import { emptyPage } from '../../graphql/pages.ts';
import type { Row } from '../../platform/db/rows.ts';
import { findCustomer } from '../customers/store.ts';
import { InvoiceStatus } from './enums.ts';
import { invoiceList } from './list.ts';
import { requireInvoice } from './store.ts';
import { Invoice, InvoiceConnection } from './types/invoice.ts';

builder.queryField('invoices', (t) =>
  t.field({
    type: InvoiceConnection,
    description:
      'Invoices, newest first unless they are sorted otherwise. A customer or subscription that does not exist has none.',
    rest: { method: 'GET', path: '/invoices', view: 'InvoiceListItem' },
    access: { scope: 'read' },
    args: {
      ...invoiceList.args,
      customerId: t.arg.string({ description: 'Our id of a customer, else its external id.' }),
      status: t.arg({ type: InvoiceStatus, description: 'Only those with this status.' }),
      subscriptionId: t.arg.string({ description: 'Only those of this subscription.' }),
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
    description: 'One invoice with its lines; `invoice_not_found` when there is none.',
    rest: { method: 'GET', path: '/invoices/{id}', view: 'Invoice', errors: ['invoice_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => requireInvoice(ctx, id),
  }),
);
