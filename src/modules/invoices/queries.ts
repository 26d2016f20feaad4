import { builder } from '../../graphql/builder.ts';
import { emptyPage, listRows, pageArgs } from '../../graphql/pagination.ts';
import type { Row } from '../../infra/rows.ts';
import { findCustomer } from '../customers/service.ts';
import { requireInvoice } from './service.ts';
import { Invoice, InvoiceConnection } from './types.ts';
import { InvoiceStatus } from './words.ts';

builder.queryField('invoices', (t) =>
  t.field({
    type: InvoiceConnection,
    description: 'Invoices, newest first. A customer or subscription that does not exist has none.',
    rest: { method: 'GET', path: '/invoices', view: 'InvoiceListItem' },
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      customerId: t.arg.string({ description: 'Our id of a customer, else its external id.' }),
      status: t.arg({ type: InvoiceStatus, description: 'Only those with this status.' }),
      subscriptionId: t.arg.string({ description: 'Only those of this subscription.' }),
    },
    resolve: async (_root, args, context, info) => {
      const customer = args.customerId ? await findCustomer(context, args.customerId) : undefined;
      if (customer === null) return emptyPage<Row<'Invoice'>>();
      const { status, subscriptionId } = args;
      const filter = { customerId: customer?.id, status: status ?? undefined, subscriptionId: subscriptionId ?? undefined };
      return listRows(context, 'Invoice', args, { filter, info });
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
    resolve: (_root, { id }, context) => requireInvoice(context, id),
  }),
);
