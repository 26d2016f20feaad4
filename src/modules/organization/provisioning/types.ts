import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { ClaimStatus, ClaimView, IssuedLink } from './issue-claim-link.ts';
import type { Provisioned } from './provision.ts';

type NextStep = {
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly body: object;
};

/** First requests in a new sandbox. */
const nextSteps: readonly NextStep[] = [
  {
    description: 'Create a free plan. Add prices with `POST /plans/{id}/prices` to sell a plan.',
    method: 'POST',
    path: '/api/v1/plans',
    body: { name: 'Free', code: 'free', isFree: true },
  },
  {
    description: 'Create a customer with the ID of a user of your app.',
    method: 'POST',
    path: '/api/v1/customers',
    body: { email: 'ada@example.com', externalId: 'ada' },
  },
  {
    description: 'Subscribe the customer to the plan.',
    method: 'POST',
    path: '/api/v1/subscriptions',
    body: { customerId: 'ada', planCode: 'free' },
  },
];

const ProvisioningStep = builder.objectRef<NextStep>('ProvisioningStep').implement({
  description: 'Request to send next, with the sandbox API key in the `x-api-key` header.',
  fields: (t) => ({
    description: t.member('description', 'String').describe('Purpose of the request.'),
    method: t.member('method', 'String').describe('HTTP method.'),
    path: t.member('path', 'String').describe('Path of the request.'),
    body: t.member('body', 'Json').describe('Body of the request.'),
  }),
});

export const ProvisionedOrganization = builder.objectRef<Provisioned>('ProvisionedOrganization').implement({
  description: 'A newly provisioned organization with its API keys. No other response contains the secrets.',
  fields: (t) => ({
    organizationId: t.member('id', 'ID').describe('ID of the organization, starting with `org_`.'),
    name: t.member('name', 'String').describe('Name that customers see.'),
    liveApiKey: t
      .member('liveApiKey', 'String')
      .describe('Secret of an API key for the live environment, with all scopes.'),
    sandboxApiKey: t
      .member('sandboxApiKey', 'String')
      .describe('Secret of an API key for the sandbox environment, with all scopes.'),
    claimUrl: t
      .member('claimUrl', 'String')
      .describe('URL where a person can take ownership of the organization.'),
    claimExpiresAt: t
      .member('claimExpiresAt', 'DateTime')
      .describe('Time at which the claim link expires: 7 days after the link is created.'),
    nextSteps: t.field({
      type: [ProvisioningStep],
      description: 'Three requests that subscribe a first customer in the sandbox.',
      resolve: () => [...nextSteps],
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
    url: t.member('url', 'String').describe('URL of the claim link. Returned only once.'),
    expiresAt: t.member('expiresAt', 'DateTime').describe('Time at which the claim link expires.'),
    ...t.resource('claim_link'),
  }),
});

const OrganizationClaimStatus = builder.enumType('OrganizationClaimStatus', {
  description: 'Status of a claim link.',
  values: {
    open: { description: 'The claim link can be used to claim the organization.' },
    expired: {
      description: 'The claim link expired after 7 days. The organization can create a new claim link.',
    },
    claimed: { description: 'The organization has an owner.' },
  } satisfies Record<ClaimStatus, { description: string }>,
});

export const OrganizationClaim = builder.objectRef<ClaimView>('OrganizationClaim').implement({
  description: 'The organization and status of a claim link.',
  fields: (t) => ({
    organizationName: t.member('organizationName', 'String').describe('Name of the organization.'),
    status: t.member('status', OrganizationClaimStatus).describe('Status of the claim link.'),
    expiresAt: t.member('expiresAt', 'DateTime').describe('Time at which the claim link expires.'),
  }),
});

restView(
  'ProvisionedOrganization',
  'ProvisionedOrganization',
  'object id: organizationId name liveApiKey sandboxApiKey claimUrl claimExpiresAt nextSteps { description method path body } livemode',
);
restView('ClaimLink', 'ClaimLink', 'url expiresAt object livemode');
