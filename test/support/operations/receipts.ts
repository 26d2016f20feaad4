import { createCustomer, type Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

const transfer = { amount: 2_500, currency: 'usd', reference: 'Thanks' };

const createReceipt = async (shop: Shop): Promise<string> =>
  (await shop.rest<{ id: string }>('POST', '/receipts', transfer)).body.id;

const createInvoice = async (shop: Shop): Promise<string> => {
  const { id: customerId } = await createCustomer(shop);
  const { body } = await shop.rest<{ id: string }>('POST', '/invoices', {
    customerId,
    amount: 1_000,
    description: 'Work',
  });
  return body.id;
};

export const operations: ModuleOperations = {
  requests: {
    'GET /receipts': async (shop) => {
      await createReceipt(shop);
      return { query: { status: 'unmatched', limit: '2' } };
    },
    'GET /receipts/{id}': async (shop) => ({ path: { id: await createReceipt(shop) } }),
    'POST /receipts': async () => ({ body: transfer }),
    'POST /receipts/{id}/apply': async (shop) => ({
      path: { id: await createReceipt(shop) },
      body: { invoiceId: await createInvoice(shop) },
    }),
    'POST /receipts/{id}/return': async (shop) => ({ path: { id: await createReceipt(shop) } }),
    'POST /bank-statements': async () => ({
      body: { format: 'csv', content: 'date,amount,currency\n2026-01-02,10.00,eur\n' },
    }),
  },
  provocations: {},
  unrouted: {
    sandboxTransfer: {
      because: 'Only the sandbox plays the bank of the payer.',
      text: 'mutation ($input: SandboxTransferInput!) { sandboxTransfer(input: $input) { id status remainingAmount } }',
      variables: async () => ({ input: transfer }),
    },
  },
};
