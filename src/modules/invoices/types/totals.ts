import { addTotals } from '../../currencies/types/list-totals.ts';
import { InvoiceStatus } from '../enums.ts';
import { InvoiceConnection } from './invoice.ts';

addTotals(InvoiceConnection, {
  name: 'InvoiceTotals',
  of: 'invoices',
  status: { type: InvoiceStatus, description: 'Where the invoices stand.' },
  sums: {
    total: { column: 'total', description: 'The sum of what is to be paid, tax included, minor units.' },
    outstanding: {
      column: 'total',
      where: "t.status = 'outstanding'",
      description:
        'The part of it that is issued and owed, minor units; 0 unless the status is `outstanding`.',
    },
  },
});
