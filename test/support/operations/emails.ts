import { createCustomer } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    emailPreview: {
      because: reasons.more,
      text: '{ emailPreview(kind: receipt, language: es) { subject text html } }',
      variables: async () => ({}),
    },
    portalSessionRequest: {
      because: reasons.more,
      text: 'mutation ($input: PortalSessionRequestInput!) { portalSessionRequest(input: $input) }',
      variables: async () => ({ input: { slug: 'no-such-shop', email: 'nobody@shop.test' } }),
    },
    emails: {
      because: reasons.more,
      text: 'query ($id: String) { emails(customerId: $id, kind: receipt, status: sent, first: 5) { edges { node { id kind subject customer { id } event { id } } } } }',
      variables: async (shop) => ({ id: (await createCustomer(shop)).id }),
    },
  },
};
