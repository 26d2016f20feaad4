import { newId } from '../../../src/platform/ids.ts';
import { type Body, type Made, made, type Shop } from './shop.ts';

/** Creates an endpoint with an unreachable URL, for an event type that test setups never cause. */
export const createWebhook = (shop: Shop, body: Body = {}): Promise<Made & { readonly secretKey: string }> =>
  made(
    shop.rest('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['payout.failed'], ...body }),
  );

/** Creates a permanently failed delivery that isn't retried automatically. */
export async function createDelivery(shop: Shop): Promise<Made & { readonly webhookId: string }> {
  const { id: webhookId } = await createWebhook(shop);
  const { query } = shop.t.app.database;
  await query(
    `UPDATE "WebhookCursor" SET "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1 AND id = $2`,
    [shop.environmentId, webhookId],
  );
  const id = newId('whd');
  await query(
    `INSERT INTO "WebhookDelivery" ("environmentId", id, seq, "webhookId", "eventId", kind, "occurredAt", position, status, attempts, "createdAt", "finishedAt", version)
     SELECT $1, $2, 1, $3, 'whev_gone', 'payout.failed', now(), 1, 'failed', 8, now(), now(), 1`,
    [shop.environmentId, id, webhookId],
  );
  return { id, webhookId };
}
