import { builder } from '../../graphql/builder.ts';
import { readOrganization } from './store.ts';
import { Organization } from './types/organization.ts';

builder.queryField('organization', (t) =>
  t.field({
    type: Organization,
    description: "The key's own organization.",
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => readOrganization(ctx),
  }),
);
