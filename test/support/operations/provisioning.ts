import { makeClaimable } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

const ofOrganization = {
  because: 'A state of the whole organization; provoked in the tests of provisioning.',
};

export const operations: ModuleOperations = {
  requests: {
    'POST /claim-link': async (shop) => {
      await makeClaimable(shop);
      return {};
    },
    'POST /provision': async (shop) => ({
      body: { name: shop.next('organization'), country: 'US', businessType: 'software' },
    }),
  },
  provocations: {
    'POST /claim-link': {
      claim_not_pending: ofOrganization,
      organization_already_claimed: ofOrganization,
    },
  },
  unrouted: {
    claimLink: {
      because: reasons.claimPage,
      text: 'query ($token: String!) { claimLink(token: $token) { organizationName status } }',
      variables: async () => ({ token: 'none' }),
    },
  },
};
