import type { Context } from '../../../request/context.ts';
import { cancelPendingDeliveries, webhookRows } from './store.ts';

/** Permanently deletes an endpoint and its secret, and cancels its pending deliveries (PLT-41). Throws `webhook_not_found`. */
export const deleteWebhook = (ctx: Context, id: string) =>
  webhookRows.delete(ctx, id, (tx) => cancelPendingDeliveries(tx, id));
