import { type Currency as CurrencyCode, exponentOf } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';
import { Currency } from './enums.ts';

export const CurrencyInfo = builder.objectRef<CurrencyCode>('CurrencyInfo').implement({
  description: 'A currency that can be charged in, and how its amounts are written.',
  fields: (t) => ({
    code: t.field({ type: Currency, description: 'Lower-case ISO 4217 code.', resolve: (code) => code }),
    decimals: t.field({
      type: 'Int',
      description: 'Decimals of an amount: 0 or 2. An amount in minor units is divided by 10 to this power.',
      resolve: exponentOf,
    }),
  }),
});
