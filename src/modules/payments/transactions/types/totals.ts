import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import type { CurrencyAmountShape, CustomerTotalsShape } from '../load-totals.ts';

export const CurrencyAmount = builder.objectRef<CurrencyAmountShape>('CurrencyAmount').implement({
  description: 'Amount in one currency.',
  fields: (t) => ({
    currency: t
      .member('currency', Currency)
      .describe('Currency of the amount, as a lowercase ISO 4217 code.'),
    amount: t.member('amount', 'MINOR').describe('Amount in the smallest unit of `currency`.'),
  }),
});

export const CustomerTotals = builder.objectRef<CustomerTotalsShape>('CustomerTotals').implement({
  description: 'Payment totals of a customer by currency, sorted by currency code.',
  fields: (t) => ({
    collected: t
      .member('collected', [CurrencyAmount])
      .describe(
        'Amounts collected by successful payment attempts, including tax, before refunds and disputes.',
      ),
    refunded: t
      .member('refunded', [CurrencyAmount])
      .describe('Collected amounts returned by successful refunds.'),
    open: t
      .member('open', [CurrencyAmount])
      .describe('Amounts due on outstanding invoices, including tax. Credited amounts are subtracted.'),
  }),
});
