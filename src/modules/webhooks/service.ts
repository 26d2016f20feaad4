import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { lockWebhookRow } from '../../infra/locks.ts';
import { requirePublicHost, UnreachableHost } from '../../infra/public-address.ts';
import type { Row } from '../../infra/rows.ts';

export type WebhookRow = Row<'Webhook'>;
export type DeliveryRow = Row<'WebhookDelivery'>;

const notFound = (): QuittanceError => new QuittanceError('webhook_not_found', 'No such webhook endpoint.', { param: 'id' });

/** The endpoint with this id. Throws `webhook_not_found`, also for a deleted one. */
export async function requireWebhook(context: Context, id: string): Promise<WebhookRow> {
  const webhook = await context.db.webhook.findFirst({ where: { id, deletedAt: null } });
  if (webhook === null) throw notFound();
  return webhook;
}

/** Locks the endpoint until the transaction ends and answers it as it then is. Throws `webhook_not_found`. */
export async function requireLockedWebhook(context: Context, id: string): Promise<WebhookRow> {
  await lockWebhookRow(context.sql, id);
  return requireWebhook(context, id);
}

/**
 * Throws `validation_error` for an address that may not be called: in live mode one without TLS, or one that leads, by any of its addresses,
 * elsewhere than to the public internet; in the sandbox every http and https address may (PLT-40). Asks the name service, so it belongs
 * before the transaction. Deliveries check again, since names can change their addresses.
 */
export async function checkUrl(context: Context, text: string): Promise<void> {
  if (!context.livemode) return;
  const url = new URL(text);
  if (url.protocol !== 'https:') throw validationError([{ field: 'url', message: 'must be an https address in live mode' }]);
  try {
    await requirePublicHost(url);
  } catch (error) {
    if (error instanceof UnreachableHost) throw validationError([{ field: 'url', message: error.message }]);
    throw error;
  }
}

/** Throws `validation_error` when a kind is named twice (PLT-40). */
export function refuseRepeated(events: readonly string[]): void {
  if (new Set(events).size !== events.length) throw validationError([{ field: 'events', message: 'must not name a kind twice' }]);
}
