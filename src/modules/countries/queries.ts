import { countriesIn } from '../../domain/countries.ts';
import { builder } from '../../graphql/builder.ts';
import { Language } from '../organizations/types/organization.ts';
import { Country } from './types.ts';

builder.queryField('countries', (t) =>
  t.field({
    type: [Country],
    description:
      'Every country an address, a tax registration or a market can name, in the order of the names. Other codes are rejected.',
    access: { anonymous: true },
    args: { language: t.arg({ type: Language, description: 'Language of the names. Defaults to English.' }) },
    resolve: (_root, { language }) => [...countriesIn(language ?? 'en')],
  }),
);
