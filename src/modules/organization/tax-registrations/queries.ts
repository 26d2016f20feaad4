import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { checkDocument } from './check-document.ts';
import { TaxDocumentCheck, TaxRegistrationConnection } from './types.ts';

builder.queryField('taxRegistrations', (t) =>
  t.field({
    type: TaxRegistrationConnection,
    description: 'Lists tax registrations, newest first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'TaxRegistration', args),
  }),
);

builder.queryField('taxDocumentCheck', (t) =>
  t.field({
    type: TaxDocumentCheck,
    description:
      "Checks the format and the check digits of a tax ID. The ID isn't verified with a tax authority.",
    access: { anonymous: true },
    args: {
      country: t.arg.string({
        required: true,
        rule: { format: 'country' },
        description: 'Country of the tax ID as an uppercase ISO 3166-1 alpha-2 code.',
      }),
      value: t.arg.string({
        required: true,
        rule: { minLength: 1, maxLength: 100 },
        description: 'Tax ID to check, with or without separators.',
      }),
    },
    resolve: (_root, { country, value }) => checkDocument(country, value),
  }),
);
