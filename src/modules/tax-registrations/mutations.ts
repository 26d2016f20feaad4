import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { createTaxRegistration } from './create.ts';
import { deleteTaxRegistration } from './delete.ts';
import { TaxRegistration } from './types.ts';

const TaxRegistrationCreateInput = builder.inputType('TaxRegistrationCreateInput', {
  description: 'A new tax registration.',
  fields: (t) => ({
    country: t.string({
      required: true,
      rule: { format: 'country' },
      description: 'ISO 3166-1 alpha-2, upper case.',
    }),
    region: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 40 },
      description:
        'State or province by code or, in the United States and Canada, by name. Defaults to the whole country.',
    }),
    rateBps: t.field({
      type: 'Int',
      rule: { nullable: true, minimum: 0, maximum: 10_000 },
      description: 'A rate in basis points, 0 to 10 000, in place of the standard one.',
    }),
  }),
});

builder.mutationField('taxRegistrationCreate', (t) =>
  t.field({
    type: TaxRegistration,
    description:
      'Registers the organization for tax in a country or a region, for invoices issued from now on. `duplicate` for a place it is registered in, `validation_error` for a region no one knows and for a place without a standard rate when none is given.',
    errors: ['duplicate'],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: TaxRegistrationCreateInput,
        required: true,
        description: 'The new tax registration.',
      }),
    },
    resolve: (_root, { input }, ctx) => createTaxRegistration(ctx, input),
  }),
);

const TaxRegistrationDeleteInput = builder.inputType('TaxRegistrationDeleteInput', {
  description: 'Which tax registration to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the tax registration.' }) }),
});

builder.mutationField('taxRegistrationDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Ends a tax registration, for invoices issued from now on. `not_found`.',
    errors: ['not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: TaxRegistrationDeleteInput,
        required: true,
        description: 'The tax registration.',
      }),
    },
    resolve: (_root, { input }, ctx) => deleteTaxRegistration(ctx, input.id),
  }),
);
