import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import type { ClaimStatus, ClaimView, IssuedLink } from './issue-claim-link.ts';
import type { Provisioned } from './provision.ts';

export const ProvisionedOrganization = builder.objectRef<Provisioned>('ProvisionedOrganization').implement({
  description:
    'An organization that a program has just made, with the keys to it. The secrets are in this answer only.',
  fields: (t) => ({
    organizationId: t.exposeID('id', { description: 'Our identifier of the organization, `org_…`.' }),
    name: t.exposeString('name', { description: 'What payers know it by.' }),
    liveApiKey: t.exposeString('liveApiKey', {
      description: 'Secret of a key for the live environment, with all scopes.',
    }),
    sandboxApiKey: t.exposeString('sandboxApiKey', {
      description: 'Secret of a key for the sandbox environment, with all scopes.',
    }),
    claimUrl: t.exposeString('claimUrl', { description: 'Where a human takes ownership.' }),
    claimExpiresAt: t.expose('claimExpiresAt', {
      type: 'DateTime',
      description: 'Until when, in operational time; seven days from now.',
    }),
    object: t.string({ description: 'Always `organization`.', resolve: () => 'organization' }),
    livemode: t.boolean({
      description: 'Always false: nothing is charged before a human owns it.',
      resolve: () => false,
    }),
  }),
});

export const ClaimLink = builder.objectRef<IssuedLink>('ClaimLink').implement({
  description: 'The address at which a human takes over an organization.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The address. It is shown once.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when it can be used, in operational time.',
    }),
    object: t.string({ description: 'Always `claim_link`.', resolve: () => 'claim_link' }),
    livemode: t.boolean({
      description: 'True for a request with a live key.',
      resolve: (_link, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const OrganizationClaimStatus = builder.enumType('OrganizationClaimStatus', {
  description: 'The state of a claim link.',
  values: {
    open: { description: 'It can be used.' },
    expired: { description: 'Its seven days are over; the organization can issue a fresh one.' },
    claimed: { description: 'A human owns the organization.' },
  } satisfies Record<ClaimStatus, { description: string }>,
});

export const OrganizationClaim = builder.objectRef<ClaimView>('OrganizationClaim').implement({
  description: 'The organization and the state of a claim link.',
  fields: (t) => ({
    organizationName: t.exposeString('organizationName', { description: 'Name of the organization.' }),
    status: t.expose('status', { type: OrganizationClaimStatus, description: 'What became of the link.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when it can be used, in operational time.',
    }),
  }),
});

restView(
  'ProvisionedOrganization',
  'ProvisionedOrganization',
  'object id: organizationId name liveApiKey sandboxApiKey claimUrl claimExpiresAt livemode',
);
restView('ClaimLink', 'ClaimLink', 'url expiresAt object livemode');
