import { builder } from '../../graphql/builder.ts';
import { name } from '../../graphql/shapes.ts';
import { renewClaimLink } from './issue-claim-link.ts';
import { provisionOrganization } from './provision.ts';
import { ClaimLink, ProvisionedOrganization } from './types.ts';

const OrganizationProvisionInput = builder.inputType('OrganizationProvisionInput', {
  description: 'A new organization.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'What payers know it by, 1 to 200 characters.',
    }),
    country: t.string({
      required: true,
      rule: { format: 'country' },
      description: 'ISO 3166-1 alpha-2, upper case.',
    }),
    businessType: t.string({
      required: true,
      rule: name,
      description: 'Kind of business, 1 to 200 characters.',
    }),
  }),
});

builder.mutationField('organizationProvision', (t) =>
  t.field({
    type: ProvisionedOrganization,
    description:
      'Makes an organization with its live and its sandbox environment, a key for each, and a link for the human who will own it. Needs no key, but an `Idempotency-Key` that is a UUID: for 24 hours it answers the same organization and the same keys. `forbidden` where provisioning is switched off.',
    rest: { method: 'POST', path: '/provision', status: 201, view: 'ProvisionedOrganization', secret: true },
    access: { anonymous: true, isKeyed: true },
    args: {
      input: t.arg({ type: OrganizationProvisionInput, required: true, description: 'The organization.' }),
    },
    resolve: (_root, { input }, ctx) => provisionOrganization(ctx, input),
  }),
);

builder.mutationField('claimLinkCreate', (t) =>
  t.field({
    type: ClaimLink,
    description:
      'Issues a new claim link for the organization of the key, valid for seven days; earlier ones stop working. `organization_already_claimed` for an organization with an owner, `claim_not_pending` for one whose owner has left.',
    rest: {
      method: 'POST',
      path: '/claim-link',
      view: 'ClaimLink',
      secret: true,
      errors: ['claim_not_pending', 'organization_already_claimed'],
    },
    access: { scope: 'write', role: 'admin' },
    resolve: (_root, _args, ctx) => renewClaimLink(ctx),
  }),
);
