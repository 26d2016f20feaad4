import { createActiveSubscription, createDispute } from '../factories.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    ledgerVerify: {
      because: reasons.more,
      text: '{ ledgerVerify { ok mismatches { account } } }',
      variables: none,
    },
    ledgerAccounts: {
      because: reasons.more,
      text: '{ ledgerAccounts(currency: usd) { name kind currency debit credit balance } }',
      variables: async (shop) => {
        await createActiveSubscription(shop);
        return {};
      },
    },
    balanceEntries: {
      because: reasons.more,
      text: '{ balanceEntries(filter: { kinds: [disputed] }, first: 5) { nodes { entryId kind amount occurredAt } pageInfo { endCursor } } }',
      variables: async (shop) => {
        await createDispute(shop);
        return {};
      },
    },
    ledgerTransfers: {
      because: reasons.more,
      text: 'query ($customerId: ID!) { ledgerTransfers(filter: { customerIds: [$customerId], accounts: ["receivable"] }, first: 5) { nodes { fact amount } } }',
      variables: async (shop) => ({ customerId: (await createActiveSubscription(shop)).customerId }),
    },
  },
};
