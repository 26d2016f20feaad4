import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { TaxRegistrationConnection } from './types.ts';

builder.queryField('taxRegistrations', (t) =>
  t.field({
    type: TaxRegistrationConnection,
    description: 'Tax registrations, newest first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'TaxRegistration', args),
  }),
);
