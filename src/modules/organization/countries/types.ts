import type { Country as CountryShape } from '../../../domain/tax/countries.ts';
import { builder } from '../../../graphql/reading/builder.ts';

export const Country = builder.objectRef<CountryShape>('Country').implement({
  description: 'A country or territory.',
  fields: (t) => ({
    code: t
      .member('code', 'String')
      .describe('Uppercase ISO 3166-1 alpha-2 code of the country, or `XK` for Kosovo.'),
    name: t.member('name', 'String').describe('Name of the country in the requested language.'),
  }),
});
