import { isCurrency } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';
import { currencyOfCountry } from '../../platform/countries.ts';
import { Country } from '../countries/types.ts';
import { Currency } from './enums.ts';

builder.objectField(Country, 'currency', (t) =>
  t.field({
    type: Currency,
    nullable: true,
    description:
      'The currency of prices in it, where a plan has an amount in that; null where the currency is not supported, and US dollars count.',
    resolve: ({ code }) => {
      const currency = currencyOfCountry.get(code);
      return currency !== undefined && isCurrency(currency) ? currency : null;
    },
  }),
);
