import { type Currency as CurrencyCode, exponentOf } from '../../../domain/money/money.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Currency } from './enums.ts';

export const CurrencyInfo = builder.objectRef<CurrencyCode>('CurrencyInfo').implement({
  description: 'A supported currency and the format of its amounts.',
  fields: (t) => ({
    code: t.field({
      type: Currency,
      description: 'Lowercase ISO 4217 code of the currency.',
      resolve: (code) => code,
    }),
    decimals: t.field({
      type: 'Int',
      description:
        'Number of decimal places in the currency: 0, 2, or 3. Divide an amount in minor units by 10 to the power of this number.',
      resolve: exponentOf,
    }),
  }),
});
