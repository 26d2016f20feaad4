import type { Country as CountryShape } from '../../domain/countries.ts';
import { builder } from '../../graphql/builder.ts';

export const Country = builder.objectRef<CountryShape>('Country').implement({
  description: 'A country or territory.',
  fields: (t) => ({
    code: t.exposeString('code', {
      description: 'Upper-case ISO 3166-1 alpha-2 code; `XK` for Kosovo, which has none.',
    }),
    name: t.exposeString('name', { description: 'Its name in the requested language.' }),
  }),
});
