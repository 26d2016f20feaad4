import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import type { CurrencyAmountShape, CustomerTotalsShape } from '../load-totals.ts';

export const CurrencyAmount = builder.objectRef<CurrencyAmountShape>('CurrencyAmount').implement({
  description: 'An amount of one currency.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'The amount, minor units of `currency`.',
    }),
  }),
});

export const CustomerTotals = builder.objectRef<CustomerTotalsShape>('CustomerTotals').implement({
  description: 'What a customer has paid and owes, by currency in the order of their codes.',
  fields: (t) => ({
    collected: t.expose('collected', {
      type: [CurrencyAmount],
      description: 'What settled attempts have collected, tax included, before refunds and disputes.',
    }),
    refunded: t.expose('refunded', {
      type: [CurrencyAmount],
      description: 'What confirmed refunds have returned of it.',
    }),
    open: t.expose('open', {
      type: [CurrencyAmount],
      description: 'What outstanding invoices ask for, tax included; credit notes take nothing off.',
    }),
  }),
});
