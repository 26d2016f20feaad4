import { isOwed } from '../../../../engine/owed-invoices.ts';
import { addTotals } from '../../../organization/currencies/types/list-totals.ts';
import { InvoiceStatus } from '../enums.ts';
import { InvoiceConnection } from './invoice.ts';

addTotals(InvoiceConnection, {
  name: 'InvoiceTotals',
  of: 'invoices',
  status: { type: InvoiceStatus, description: 'Status of the invoices.' },
  sums: {
    total: {
      column: 'total',
      description: 'Sum of the invoice totals, including tax, in the smallest currency unit.',
    },
    outstanding: {
      column: 'total',
      less: ['creditedDue', 'paidInParts'],
      where: isOwed('t'),
      reads: ['finalizedAt'],
      description:
        "Sum of the amounts due (totals minus credited amounts and paid parts), in the smallest currency unit. 0 unless the status is `outstanding`. Invoices of unpaid checkouts aren't counted.",
    },
  },
});
