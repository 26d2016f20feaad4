import { builder } from '../../../graphql/reading/builder.ts';
import { readOrganization } from './store.ts';
import { Organization } from './types/organization.ts';

builder.queryField('organization', (t) =>
  t.field({
    type: Organization,
    description: 'Returns the organization that the API key or member belongs to.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => readOrganization(ctx),
  }),
);
