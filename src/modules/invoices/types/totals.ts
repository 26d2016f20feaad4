import { builder } from '../../../graphql/builder.ts';
import type { Group } from '../../../graphql/connections.ts';
import { bound, readingCost } from '../../../graphql/pagination.ts';
import { Currency } from '../../currencies/enums.ts';
import { InvoiceStatus } from '../enums.ts';
import { InvoiceConnection } from './invoice.ts';

const InvoiceTotals = builder.objectRef<Group>('InvoiceTotals').implement({
  description: 'Invoices of one currency and status, added up.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts.',
      resolve: ({ currency }) => String(currency),
    }),
    status: t.field({
      type: InvoiceStatus,
      description: 'Where the invoices stand.',
      resolve: ({ status }) => status as typeof InvoiceStatus.$inferType,
    }),
    count: t.int({ description: 'How many invoices there are.', resolve: ({ count }) => Number(count) }),
    total: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'The sum of what is to be paid, tax included, minor units.',
      resolve: ({ total }) => total as bigint,
    }),
    outstanding: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'The part of it that is issued and owed, minor units; 0 unless the status is `outstanding`.',
      resolve: ({ outstanding }) => outstanding as bigint,
    }),
  }),
});

const sums = {
  total: { column: 'total' },
  outstanding: { column: 'total', where: "t.status = 'outstanding'" },
} as const;

builder.objectField(InvoiceConnection, 'totals', (t) =>
  t.field({
    type: [InvoiceTotals],
    nullable: true,
    description:
      'All invoices of the list that pass its filters, not only those of the page, added up per currency and status. Null where there are more than `upTo`.',
    args: { upTo: t.arg(bound(100_000, 1_000_000)) },
    complexity: ({ upTo }) => readingCost(upTo),
    resolve: async (page, { upTo }) => {
      const groups = await page.groups({ by: ['currency', 'status'], sums, limit: upTo });
      return groups === null ? null : [...groups];
    },
  }),
);
