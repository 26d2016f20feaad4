import { moneyAccess } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { createTaxRegistration } from './create.ts';
import { recordRegistration, taxRegistrationRows } from './store.ts';
import { TaxRegistration } from './types.ts';

const TaxRegistrationCreateInput = builder.inputType('TaxRegistrationCreateInput', {
  description: 'Parameters for creating a tax registration.',
  fields: (t) => ({
    country: t.string({
      required: true,
      rule: { format: 'country' },
      description: 'Country of the registration as an uppercase ISO 3166-1 alpha-2 code.',
    }),
    region: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 40 },
      description:
        'Code of the state or province. In the United States and Canada, the name is also accepted. Defaults to the whole country.',
    }),
    rateBps: t.field({
      type: 'Int',
      rule: { nullable: true, minimum: 0, maximum: 10_000 },
      description:
        'Tax rate in basis points; 10,000 = 100%. From 0 to 10,000. Defaults to the standard rate. Required if the country or region has no standard rate.',
    }),
  }),
});

builder.mutationField('taxRegistrationCreate', (t) =>
  t.field({
    type: TaxRegistration,
    description:
      'Creates a tax registration for a country or region. The tax applies to invoices that are issued after the registration is created.',
    errors: [['duplicate', 'a tax registration for the country or region already exists']],
    access: moneyAccess,
    args: {
      input: t.arg({
        type: TaxRegistrationCreateInput,
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => createTaxRegistration(ctx, input),
  }),
);

deletionField('taxRegistrationDelete', {
  of: 'a tax registration',
  reference: 'ID of the tax registration.',
  description:
    'Deletes a tax registration. Invoices that are issued after the deletion no longer include the tax.',
  errors: [['not_found', "the tax registration doesn't exist"]],
  access: moneyAccess,
  delete: (ctx, id) =>
    taxRegistrationRows.delete(ctx, id, (tx, registration) =>
      recordRegistration(tx, 'tax_registration.deleted', registration),
    ),
});
