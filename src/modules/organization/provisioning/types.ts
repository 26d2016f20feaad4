import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { ClaimStatus, ClaimView, IssuedLink } from './issue-claim-link.ts';
import type { Provisioned } from './provision.ts';

export const ProvisionedOrganization = builder.objectRef<Provisioned>('ProvisionedOrganization').implement({
  description: 'A newly provisioned organization with its API keys. No other response contains the secrets.',
  fields: (t) => ({
    organizationId: t.exposeID('id', { description: 'ID of the organization, starting with `org_`.' }),
    name: t.exposeString('name', { description: 'Name that customers see.' }),
    liveApiKey: t.exposeString('liveApiKey', {
      description: 'Secret of an API key for the live environment, with all scopes.',
    }),
    sandboxApiKey: t.exposeString('sandboxApiKey', {
      description: 'Secret of an API key for the sandbox environment, with all scopes.',
    }),
    claimUrl: t.exposeString('claimUrl', {
      description: 'URL where a person can take ownership of the organization.',
    }),
    claimExpiresAt: t.expose('claimExpiresAt', {
      type: 'DateTime',
      description: 'Time at which the claim link expires, in real time: 7 days after the link is created.',
    }),
    object: t.string({ description: 'Always `organization`.', resolve: () => 'organization' }),
    livemode: t.boolean({
      description: 'Always `false`, because live charges require an owner.',
      resolve: () => false,
    }),
  }),
});

export const ClaimLink = builder.objectRef<IssuedLink>('ClaimLink').implement({
  description: 'A link that lets a person take ownership of an organization.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'URL of the claim link. Returned only once.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time at which the link expires, in real time.',
    }),
    object: t.string({ description: 'Always `claim_link`.', resolve: () => 'claim_link' }),
    livemode: t.boolean({
      description: '`true` in the live environment, `false` in the sandbox.',
      resolve: (_link, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const OrganizationClaimStatus = builder.enumType('OrganizationClaimStatus', {
  description: 'Status of a claim link.',
  values: {
    open: { description: 'The link can be used.' },
    expired: { description: 'The link expired after 7 days. The organization can create a new one.' },
    claimed: { description: 'The organization has an owner.' },
  } satisfies Record<ClaimStatus, { description: string }>,
});

export const OrganizationClaim = builder.objectRef<ClaimView>('OrganizationClaim').implement({
  description: 'The organization and status of a claim link.',
  fields: (t) => ({
    organizationName: t.exposeString('organizationName', { description: 'Name of the organization.' }),
    status: t.expose('status', { type: OrganizationClaimStatus, description: 'Status of the link.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time at which the link expires, in real time.',
    }),
  }),
});

restView(
  'ProvisionedOrganization',
  'ProvisionedOrganization',
  'object id: organizationId name liveApiKey sandboxApiKey claimUrl claimExpiresAt livemode',
);
restView('ClaimLink', 'ClaimLink', 'url expiresAt object livemode');
