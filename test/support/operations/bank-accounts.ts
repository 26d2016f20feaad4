import { openPayouts } from '../payouts.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'POST /payouts/bank-accounts': async (shop) => {
      await openPayouts(shop);
      const account = {
        accountNumber: '000123456789',
        accountHolderName: 'Acme Inc.',
        routingNumber: '110000000',
        accountType: 'checking',
      };
      return { body: { ...account, setDefault: true } };
    },
  },
  provocations: {
    'POST /payouts/bank-accounts': {
      payouts_not_available_in_sandbox: async () => ({
        body: { accountNumber: '0001234', accountHolderName: 'Acme' },
      }),
    },
  },
  unrouted: {
    payoutBankAccounts: {
      because: reasons.more,
      text: '{ payoutBankAccounts(first: 2) { edges { node { id last4 } } } }',
      variables: none,
    },
  },
};
