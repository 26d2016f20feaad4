import { currencies } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';
import { CurrencyInfo } from './types.ts';

builder.queryField('currencies', (t) =>
  t.field({
    type: [CurrencyInfo],
    description: 'Every currency that can be charged in, with its decimals, for pages that write amounts.',
    access: { anonymous: true },
    resolve: () => [...currencies],
  }),
);
