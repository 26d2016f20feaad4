import { countriesIn } from '../../../domain/tax/countries.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { Language } from '../organizations/types/organization.ts';
import { Country } from './types.ts';

builder.queryField('countries', (t) =>
  t.field({
    type: [Country],
    description:
      'Lists the countries that can be used in addresses, tax registrations, and markets, sorted by name. Other country codes are rejected.',
    access: { anonymous: true },
    args: {
      language: t.arg({ type: Language, description: 'Language of the country names. Defaults to English.' }),
    },
    resolve: (_root, { language }) => [...countriesIn(language ?? 'en')],
  }),
);
