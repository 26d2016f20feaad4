import { createCreditNote, createCustomer } from '../factories.ts';
import { createUntaxable, noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'POST /invoices': async (shop) => ({
      body: {
        customerId: (await createCustomer(shop)).id,
        amount: 1_250,
        description: 'Hours of help',
        metadata: { ticket: 7 },
      },
    }),
    'GET /credit-notes': async (shop) => ({ query: { invoiceId: (await createCreditNote(shop)).invoiceId } }),
    'GET /credit-notes/{id}': async (shop) => ({ path: { id: (await createCreditNote(shop)).id } }),
    'POST /credit-notes/{id}/download-links': async (shop) => ({
      path: { id: (await createCreditNote(shop)).id },
    }),
  },
  provocations: {
    'POST /invoices': {
      customer_not_found: noId({}, { customerId: 'cus_none', amount: 100, description: 'None.' }),
      payment_failed: async (shop) => ({
        body: { customerId: await createUntaxable(shop), amount: 100, description: 'None.' },
      }),
    },
  },
};
