import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import type { CurrencyAmountShape, CustomerTotalsShape } from '../load-totals.ts';

export const CurrencyAmount = builder.objectRef<CurrencyAmountShape>('CurrencyAmount').implement({
  description: 'Amount in one currency.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: 'Lowercase ISO 4217 code.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount in the smallest unit of `currency`.',
    }),
  }),
});

export const CustomerTotals = builder.objectRef<CustomerTotalsShape>('CustomerTotals').implement({
  description: 'Payment totals of a customer by currency, sorted by currency code.',
  fields: (t) => ({
    collected: t.expose('collected', {
      type: [CurrencyAmount],
      description:
        'Amounts collected by successful payment attempts, including tax, before refunds and disputes.',
    }),
    refunded: t.expose('refunded', {
      type: [CurrencyAmount],
      description: 'Collected amounts returned by successful refunds.',
    }),
    open: t.expose('open', {
      type: [CurrencyAmount],
      description: 'Amounts due on outstanding invoices, including tax. Credited amounts are subtracted.',
    }),
  }),
});
