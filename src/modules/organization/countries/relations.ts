import { isCurrency } from '../../../domain/money/money.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { currencyOfCountry } from '../../../platform/countries.ts';
import { Currency } from '../currencies/enums.ts';
import { Country } from './types.ts';

builder.objectField(Country, 'currency', (t) =>
  t.field({
    type: Currency,
    nullable: true,
    description:
      "Currency in which customers in the country pay if the plan has prices in this currency. `null` if the local currency isn't supported, in which case customers pay in USD.",
    resolve: ({ code }) => {
      const currency = currencyOfCountry.get(code);
      return currency !== undefined && isCurrency(currency) ? currency : null;
    },
  }),
);
