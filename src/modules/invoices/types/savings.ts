import { builder } from '../../../graphql/builder.ts';
import { bound, readingCost } from '../../../graphql/pagination.ts';
import { Currency } from '../../currencies/enums.ts';
import { loadSavings } from '../load-savings.ts';
import type { OfferSavings as Savings } from '../store.ts';

const OfferSavings = builder.objectRef<Savings>('OfferSavings').implement({
  description: 'What customers saved by an offer in one currency.',
  fields: (t) => ({
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amount.',
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'The sum of what it took off, before tax, minor units.',
    }),
    invoiceCount: t.exposeInt('invoiceCount', {
      description: 'How many paid invoices it lowered, 1 at least.',
    }),
  }),
});

builder.prismaObjectField('Offer', 'savings', (t) =>
  t.computed({
    type: [OfferSavings],
    nullable: true,
    description:
      'What customers saved by the offer: the discounts on paid invoices, refunded or not, added up per currency. Free days are no discount. Null where it lowered more than `upTo` invoices.',
    args: { upTo: t.arg(bound(10_000, 100_000)) },
    complexity: ({ upTo }) => readingCost(upTo),
    columns: ['id'],
    resolve: async ({ id }, { upTo }, ctx) => {
      const savings = await loadSavings(ctx, id, upTo);
      return savings === null ? null : [...savings];
    },
  }),
);
