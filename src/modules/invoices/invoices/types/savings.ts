import { builder } from '../../../../graphql/reading/builder.ts';
import { bound, readingCost } from '../../../../graphql/reading/pagination.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { loadSavings } from '../load-savings.ts';
import type { OfferSavings as Savings } from '../store.ts';

const OfferSavings = builder.objectRef<Savings>('OfferSavings').implement({
  description: 'Total that customers saved with an offer, in one currency.',
  fields: (t) => ({
    currency: t
      .member('currency', Currency)
      .describe('Currency of the amount, as a lowercase ISO 4217 code.'),
    amount: t
      .member('amount', 'MINOR')
      .describe('Sum of the discounts before tax, in the smallest currency unit.'),
    invoiceCount: t
      .member('invoiceCount', 'Int')
      .describe('Number of paid invoices that the offer reduced. At least 1.'),
  }),
});

builder.prismaObjectField('Offer', 'savings', (t) =>
  t.computed({
    type: [OfferSavings],
    nullable: true,
    description:
      "Total that customers saved with the offer: the sum of the discounts on paid invoices, by currency. Refunded invoices are included. Free trial days aren't included. `null` if the offer reduced more than `upTo` invoices.",
    args: {
      upTo: t.arg({
        ...bound(10_000, 100_000),
        description: 'Maximum number of discounted invoices to count, from 1 to 100,000. Defaults to 10,000.',
      }),
    },
    complexity: ({ upTo }) => readingCost(upTo),
    columns: ['id'],
    resolve: async ({ id }, { upTo }, ctx) => {
      const savings = await loadSavings(ctx, id, upTo);
      return savings === null ? null : [...savings];
    },
  }),
);
