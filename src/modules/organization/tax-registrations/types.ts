import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import type { CheckedDocument } from './check-document.ts';

export const TaxRegistration = builder.prismaObject('TaxRegistration', {
  ...node({ prefix: 'txr' }),
  description:
    'A country or region in which the organization collects tax. Invoices to payers there include tax.',
  fields: (t) => ({
    ...t.columns('id', 'country'),
    region: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Uppercase code of the state or province, without the country. `null` if the registration covers the whole country.',
      columns: ['region'],
      resolve: ({ region }) => (region === '' ? null : region),
    }),
    ...t.columns('rateBps', 'createdAt'),
    ...t.resource('tax_registration'),
  }),
});

export const TaxRegistrationConnection = connectionOf(
  'TaxRegistration',
  TaxRegistration,
  'tax registrations',
);

export const TaxDocumentCheck = builder.objectRef<CheckedDocument>('TaxDocumentCheck').implement({
  description: 'Result of a tax ID check, based on the format and check digits.',
  fields: (t) => ({
    kind: t.member('kind', 'String').describe('Type of the tax ID in its country, such as `VAT` or `CUIT`.'),
    isPlausible: t
      .maybe('isPlausible', 'Boolean')
      .describe(
        "Whether the format and any check digits are valid. `null` if the country's tax ID format isn't known.",
      ),
  }),
});
