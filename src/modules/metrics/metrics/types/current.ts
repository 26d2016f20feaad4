import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';

/** Monthly recurring revenue in one currency, in ten-thousandths of the currency unit. */
export type CurrencyMrr = { readonly currency: string; readonly amount: bigint };

export const CurrencyMrrType = builder.objectRef<CurrencyMrr>('CurrencyMrr').implement({
  description: 'Monthly recurring revenue in one currency.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amount.'),
    amount: t
      .member('amount', 'RATE')
      .describe('Monthly recurring revenue, in ten-thousandths of the currency unit (10,000 = 1.00).'),
  }),
});
