import { builder } from '../../graphql/builder.ts';
import { readOrganization } from './service.ts';
import { Organization } from './types.ts';

builder.queryField('organization', (t) =>
  t.field({
    type: Organization,
    description: "The key's own organization.",
    access: { scope: 'read' },
    resolve: (_root, _args, context) => readOrganization(context),
  }),
);
