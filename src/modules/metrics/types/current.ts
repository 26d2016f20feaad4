import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';

/** Monthly recurring revenue in one currency, a rate. */
export type CurrencyMrr = { readonly currency: string; readonly amount: bigint };

export const CurrencyMrrType = builder.objectRef<CurrencyMrr>('CurrencyMrr').implement({
  description: 'Monthly recurring revenue in one currency.',
  fields: (t) => ({
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'RATE',
      description: 'The monthly recurring revenue; 10 000 are 1.00.',
    }),
  }),
});
