import { createDelivery, createWebhook, type Shop } from '../factories.ts';
import { noId, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

/** Creates an endpoint. If there are almost 20 endpoints in the environment, the limit, deletes the oldest one. */
const withWebhook = async (shop: Shop) => {
  const { body } = await shop.rest<{ data: readonly { id: string }[] }>('GET', '/webhooks?limit=100');
  const oldest = body.data.length >= 15 ? body.data.at(-1) : undefined;
  if (oldest !== undefined) await shop.rest('DELETE', `/webhooks/${oldest.id}`);
  const { id } = await createWebhook(shop);
  return { id };
};

export const operations: ModuleOperations = {
  requests: {
    'GET /webhooks': async (shop) => {
      await withWebhook(shop);
      return { query: { limit: '2' } };
    },
    'POST /webhooks': async (shop) => {
      await withWebhook(shop);
      const url = `https://hooks.test/${shop.next('hook')}`;
      return {
        body: {
          url,
          events: ['payout.failed', 'payout.paid'],
          description: 'Payouts.',
          apiVersion: '2026-08-27',
        },
      };
    },
    'GET /webhooks/{id}': async (shop) => ({ path: await withWebhook(shop) }),
    'PATCH /webhooks/{id}': async (shop) => ({
      path: await withWebhook(shop),
      body: { description: null, isActive: false },
    }),
    'DELETE /webhooks/{id}': async (shop) => ({ path: await withWebhook(shop) }),
    'POST /webhooks/{id}/rotate-secret': async (shop) => ({
      path: await withWebhook(shop),
      body: { overlapHours: 1 },
    }),
    'POST /webhooks/{id}/test': async (shop) => ({ path: await withWebhook(shop) }),
  },
  provocations: {
    'GET /webhooks/{id}': { webhook_not_found: noId({ id: 'whe_none' }) },
    'PATCH /webhooks/{id}': { webhook_not_found: noId({ id: 'whe_none' }, {}) },
    'DELETE /webhooks/{id}': { webhook_not_found: noId({ id: 'whe_none' }) },
    'POST /webhooks/{id}/test': { webhook_not_found: noId({ id: 'whe_none' }) },
  },
  unrouted: {
    webhookDeliveries: {
      because: reasons.more,
      text: 'query ($id: ID!) { webhookDeliveries(webhookId: $id, status: failed, first: 5) { edges { node { id status webhook { url } } } } }',
      variables: async (shop) => ({ id: (await createDelivery(shop)).webhookId }),
    },
    webhookDeliveryResend: {
      because: reasons.more,
      text: 'mutation ($input: WebhookDeliveryResendInput!) { webhookDeliveryResend(input: $input) { id status } }',
      variables: async (shop) => ({ input: { id: (await createDelivery(shop)).id } }),
    },
    webhookDeliveriesResend: {
      because: reasons.more,
      text: 'mutation ($input: WebhookDeliveriesResendInput!) { webhookDeliveriesResend(input: $input) { resentCount isComplete } }',
      variables: async (shop) => ({ input: { webhookId: (await createDelivery(shop)).webhookId } }),
    },
    webhookDeliveryChanged: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { webhookDeliveryChanged(webhookId: $id) { id status } }',
      variables: async (shop) => ({ id: (await createDelivery(shop)).webhookId }),
    },
  },
};
