import { connectionKeys, createConnection, nextCountry } from '../factories.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    connectedAccount: {
      because: reasons.rule,
      text: 'query ($id: ID!) { connectedAccount(id: $id) { id name publishableKey isDefault countries webhookUrl hasWebhookSecret } }',
      variables: async (shop) => ({ id: (await createConnection(shop)).id }),
    },
    connectedAccountCreate: {
      because: reasons.rule,
      text: 'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }',
      variables: async (shop) => ({ input: connectionKeys(shop) }),
    },
    connectedAccountUpdate: {
      because: reasons.rule,
      text: 'mutation ($id: ID!) { connectedAccountUpdate(input: { id: $id, name: "Second" }) { id name } }',
      variables: async (shop) => ({ id: (await createConnection(shop)).id }),
    },
    connectedAccounts: {
      because: reasons.rule,
      text: '{ connectedAccounts(first: 5) { edges { node { id name } } } }',
      variables: async (shop) => {
        await createConnection(shop);
        return {};
      },
    },
    paymentRouteSet: {
      because: reasons.rule,
      text: 'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country isRouted connection { id } } }',
      variables: (shop) => Promise.resolve({ input: { country: nextCountry(shop), provider: 'platform' } }),
    },
    paymentRoutes: {
      because: reasons.members,
      text: '{ paymentRoutes { country isRouted connection { id } } }',
      variables: none,
    },
  },
};
