import { createActiveSubscription, createAdjustment, latestInvoice } from '../factories.ts';
import { noId, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /invoices': async (shop) => ({
      query: { subscriptionId: (await createActiveSubscription(shop)).id, status: 'paid' },
    }),
    'GET /invoices/{id}': async (shop) => ({
      path: { id: await latestInvoice(shop, (await createActiveSubscription(shop)).id) },
    }),
    'POST /invoices/{id}/download-links': async (shop) => ({
      path: { id: (await createAdjustment(shop)).id },
    }),
    'POST /invoices/{id}/send': async (shop) => ({ path: { id: (await createAdjustment(shop)).id } }),
    'PATCH /invoices/{id}/status': async (shop) => ({
      path: { id: (await createAdjustment(shop)).id },
      body: { status: 'paid' },
    }),
  },
  provocations: {
    'GET /invoices/{id}': { invoice_not_found: noId({ id: 'inv_none' }) },
    'POST /invoices/{id}/download-links': { invoice_not_found: noId({ id: 'inv_none' }) },
    'POST /invoices/{id}/send': { invoice_not_found: noId({ id: 'inv_none' }) },
    'PATCH /invoices/{id}/status': { invoice_not_found: noId({ id: 'inv_none' }, { status: 'void' }) },
  },
  unrouted: {
    invoiceChanged: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { invoiceChanged(customerId: $id) { id } }',
      variables: async (shop) => ({ id: (await createActiveSubscription(shop)).customerId }),
    },
  },
};
