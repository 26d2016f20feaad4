import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { renewClaimLink } from './issue-claim-link.ts';
import { provisionOrganization } from './provision.ts';
import { ClaimLink, ProvisionedOrganization } from './types.ts';

const OrganizationProvisionInput = builder.inputType('OrganizationProvisionInput', {
  description: 'Parameters for provisioning an organization.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name that customers see on pages and in emails, from 1 to 200 characters.',
    }),
    country: t.string({
      required: true,
      rule: { format: 'country' },
      description: 'Country of the organization, as an uppercase ISO 3166-1 alpha-2 code.',
    }),
    businessType: t.string({
      required: true,
      rule: name,
      description: 'Type of business, from 1 to 200 characters.',
    }),
  }),
});

builder.mutationField('organizationProvision', (t) =>
  t.field({
    type: ProvisionedOrganization,
    description:
      'Creates an organization with its live and sandbox environments, an API key for each, and a claim link for the future owner. No API key is required, but the `Idempotency-Key` header must be a UUID. For 24 hours, the same key returns the same organization and API keys. Fails with `forbidden` if provisioning is turned off.',
    rest: { method: 'POST', path: '/provision', status: 201, view: 'ProvisionedOrganization', secret: true },
    access: { anonymous: true, isKeyed: true },
    args: {
      input: t.arg({ type: OrganizationProvisionInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => provisionOrganization(ctx, input),
  }),
);

builder.mutationField('claimLinkCreate', (t) =>
  t.field({
    type: ClaimLink,
    description:
      'Creates a claim link for the organization that owns the live API key. The link is valid for 7 days, and earlier links stop working. Fails with `forbidden` for sandbox keys and after the first live charge.',
    rest: {
      method: 'POST',
      path: '/claim-link',
      view: 'ClaimLink',
      secret: true,
    },
    errors: [
      ['claim_not_pending', "the organization's owner has left"],
      ['organization_already_claimed', 'the organization has an owner'],
    ],
    access: { scope: 'keys', environment: 'live' },
    resolve: (_root, _args, ctx) => renewClaimLink(ctx),
  }),
);
