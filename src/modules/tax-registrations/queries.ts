import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { checkDocument } from './check-document.ts';
import { TaxDocumentCheck, TaxRegistrationConnection } from './types.ts';

builder.queryField('taxRegistrations', (t) =>
  t.field({
    type: TaxRegistrationConnection,
    description: 'Tax registrations, newest first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'TaxRegistration', args),
  }),
);

builder.queryField('taxDocumentCheck', (t) =>
  t.field({
    type: TaxDocumentCheck,
    description:
      'What a tax number of a country is called, and whether it can be one: by its form and its check digits. Nobody is asked whether it was given out.',
    access: { anonymous: true },
    args: {
      country: t.arg.string({
        required: true,
        rule: { format: 'country' },
        description: 'ISO 3166-1 alpha-2 code, upper case.',
      }),
      value: t.arg.string({
        required: true,
        rule: { minLength: 1, maxLength: 100 },
        description: 'The number, with or without separators.',
      }),
    },
    resolve: (_root, { country, value }) => checkDocument(country, value),
  }),
);
