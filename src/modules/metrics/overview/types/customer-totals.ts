import { builder } from '../../../../graphql/reading/builder.ts';
import { bound, readingCost } from '../../../../graphql/reading/pagination.ts';
import { CustomerConnection } from '../../../customers/customers/types.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { loadListTotals } from '../load-list-totals.ts';
import type { CustomerSums } from '../store.ts';

const CustomerListTotals = builder.objectRef<CustomerSums>('CustomerListTotals').implement({
  description: 'Totals of customers in one currency.',
  fields: (t) => ({
    currency: t
      .member('currency', Currency)
      .describe('Currency of the totals, as a lowercase ISO 4217 code.'),
    mrr: t
      .member('mrr', 'RATE')
      .describe(
        'Current monthly recurring revenue of the customers, in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    outstanding: t
      .member('outstanding', 'MINOR')
      .describe(
        "Sum of the amounts due on outstanding invoices, in the smallest currency unit. Invoices of unpaid checkouts aren't counted.",
      ),
    totalPaid: t
      .member('totalPaid', 'MINOR')
      .describe('Total collected amount before refunds, in the smallest currency unit.'),
  }),
});

builder.objectField(CustomerConnection, 'totals', (t) =>
  t.field({
    type: [CustomerListTotals],
    nullable: true,
    description:
      'Totals of all customers that match the filters, across all pages, by currency. Currencies without amounts are omitted. `null` if there are more than `upTo` customers.',
    args: { upTo: t.arg(bound(100_000, 1_000_000)) },
    complexity: ({ upTo }) => readingCost(upTo),
    resolve: async (page, { upTo }) => {
      const totals = await loadListTotals(page, upTo);
      return totals === null ? null : [...totals];
    },
  }),
);
