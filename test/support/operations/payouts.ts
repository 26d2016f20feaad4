import { createPayout, openPayouts } from '../payouts.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'POST /payouts': async (shop) => {
      await openPayouts(shop);
      return { body: { amount: 1_500, description: 'For May.' } };
    },
  },
  provocations: {
    'POST /payouts': {
      insufficient_balance: { because: 'Payouts are live only; met in the tests of payouts.' },
      payouts_not_available_in_sandbox: async () => ({ body: { amount: 1_000 } }),
    },
  },
  unrouted: {
    payout: {
      because: reasons.more,
      text: 'query ($id: ID!) { payout(id: $id) { id status bankAccount { last4 } } }',
      variables: async (shop) => ({ id: await createPayout(shop) }),
    },
    payouts: {
      because: reasons.more,
      text: '{ payouts(first: 2) { edges { node { id amount } } } }',
      variables: none,
    },
    payoutBalance: {
      because: reasons.rule,
      text: '{ payoutBalance { pending available frozen inTransit currency upcoming { availableAt amount } } }',
      variables: none,
    },
    payoutCancel: {
      because: reasons.rule,
      text: 'mutation ($input: PayoutCancelInput!) { payoutCancel(input: $input) { id status } }',
      variables: async (shop) => ({ input: { id: await createPayout(shop) } }),
    },
    payoutSimulate: {
      because: reasons.rule,
      text: 'mutation ($input: PayoutSimulateInput!) { payoutSimulate(input: $input) { id status } }',
      variables: async (shop) => {
        await openPayouts(shop);
        return { input: { amount: 1_500 } };
      },
    },
    payoutOutcomeSimulate: {
      because: reasons.rule,
      text: 'mutation ($input: PayoutOutcomeSimulateInput!) { payoutOutcomeSimulate(input: $input) { id status } }',
      variables: async (shop) => ({ input: { id: await createPayout(shop), outcome: 'paid' } }),
    },
    payoutChanged: {
      because: reasons.live,
      text: 'subscription { payoutChanged { id status } }',
      variables: async (shop) => {
        await createPayout(shop);
        return {};
      },
    },
  },
};
