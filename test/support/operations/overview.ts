import { createCustomer, createPastDueSubscription } from '../factories.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    node: {
      because: 'REST has an address for each kind of object.',
      text: 'query ($id: ID!) { node(id: $id) { id ... on Customer { email } } }',
      variables: async (shop) => ({ id: (await createCustomer(shop)).id }),
    },
    nodes: {
      because: 'REST has an address for each kind of object.',
      text: 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Customer { email } } }',
      variables: async (shop) => ({ ids: [(await createCustomer(shop)).id] }),
    },
    attention: {
      because: reasons.more,
      text: '{ attention { kind count { value isExact } amounts { currency amount } oldestAt sample(first: 2) { id } } }',
      variables: async (shop) => {
        await createPastDueSubscription(shop);
        return {};
      },
    },
    attentionChanged: {
      because: reasons.live,
      text: 'subscription { attentionChanged { kind count { value } } }',
      variables: none,
    },
    setup: {
      because: reasons.more,
      text: '{ setup { isReady steps { key state required } testedInSandbox { key at } } }',
      variables: none,
    },
    search: {
      because: reasons.more,
      text: 'query ($text: String!) { search(text: $text, limit: 3) { kind matched node { id } } }',
      variables: async (shop) => ({ text: (await createCustomer(shop)).externalId }),
    },
  },
};
