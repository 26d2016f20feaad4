import { builder } from '../../../graphql/reading/builder.ts';
import { readClaim } from './issue-claim-link.ts';
import { OrganizationClaim } from './types.ts';

builder.queryField('claimLink', (t) =>
  t.field({
    type: OrganizationClaim,
    description: 'Returns the organization and status of a claim link.',
    errors: [['claim_not_pending', 'the link was never issued or was replaced']],
    access: { anonymous: true },
    args: { token: t.arg.string({ required: true, description: 'Token at the end of the claim link.' }) },
    resolve: (_root, { token }, ctx) => readClaim(ctx, token),
  }),
);
