import { builder } from '../../graphql/builder.ts';
import { readClaim } from './issue-claim-link.ts';
import { OrganizationClaim } from './types.ts';

builder.queryField('claimLink', (t) =>
  t.field({
    type: OrganizationClaim,
    description:
      'The organization and the state of a claim link. `claim_not_pending` for one that was never issued or that a fresh one replaced.',
    errors: ['claim_not_pending'],
    access: { anonymous: true },
    args: { token: t.arg.string({ required: true, description: 'The last part of the address.' }) },
    resolve: (_root, { token }, ctx) => readClaim(ctx, token),
  }),
);
