import { currencies } from '../../../domain/money/money.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { CurrencyInfo } from './types.ts';

builder.queryField('currencies', (t) =>
  t.field({
    type: [CurrencyInfo],
    description:
      'Lists the supported currencies with their number of decimal places, for formatting amounts.',
    access: { anonymous: true },
    resolve: () => [...currencies],
  }),
);
