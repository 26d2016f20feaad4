import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import type { CheckedDocument } from './check-document.ts';

export const TaxRegistration = builder.prismaObject('TaxRegistration', {
  ...node({ prefix: 'txr' }),
  description: 'Where the organization owes tax: payers of this country, or of this region of it, are taxed.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `txr_…`.' }),
    country: t.exposeString('country', { description: 'ISO 3166-1 alpha-2 code, upper case.' }),
    region: t.computed({
      type: 'String',
      nullable: true,
      description: 'State or province, upper-case code without the country; null for the whole country.',
      columns: ['region'],
      resolve: ({ region }) => (region === '' ? null : region),
    }),
    rateBps: t.expose('rateBps', {
      type: 'Int',
      nullable: true,
      description:
        'A rate of its own in basis points; null for the standard rate on the day of each invoice.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    object: t.string({ description: 'Always `tax_registration`.', resolve: () => 'tax_registration' }),
    livemode: t.livemode(),
  }),
});

export const TaxRegistrationConnection = connectionOf(
  'TaxRegistration',
  TaxRegistration,
  'tax registrations',
);

export const TaxDocumentCheck = builder.objectRef<CheckedDocument>('TaxDocumentCheck').implement({
  description: 'What can be said of a tax number without asking an office.',
  fields: (t) => ({
    kind: t.exposeString('kind', {
      description: 'What it is called in the country, such as `VAT` or `CUIT`.',
    }),
    isPlausible: t.exposeBoolean('isPlausible', {
      nullable: true,
      description: 'Whether it can be one; null where the form of numbers of the country is not known.',
    }),
  }),
});
