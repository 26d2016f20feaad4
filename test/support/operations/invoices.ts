import { createActiveSubscription, createAdjustment, createCustomer, latestInvoice } from '../factories.ts';
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
    'GET /invoices/{id}/payment-instructions': async (shop) => ({
      path: { id: (await createAdjustment(shop)).id },
    }),
    'POST /customers/{id}/invoices': async (shop) => ({
      path: { id: (await createCustomer(shop)).id },
      body: {
        currency: 'eur',
        lineItems: [
          { description: 'Workshop', quantity: 2, unitAmount: 45_000 },
          { description: 'Travel', unitAmount: 12_000 },
        ],
        memo: 'Thank you.',
        poNumber: 'PO-7',
        reference: 'March',
        daysUntilDue: 30,
        metadata: { ticket: 7 },
      },
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
