import { isDeepStrictEqual } from 'node:util';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import {
  cancelPendingDeliveries,
  checkUrl,
  moveCursorToEnd,
  rejectRepeated,
  requireLockedWebhook,
  type WebhookRow,
} from './store.ts';

/** Changes to an endpoint. A field that is `undefined` keeps its current value. `null` removes the description. */
export type WebhookChanges = {
  readonly id: string;
  readonly url?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
  readonly apiVersion?: string | null | undefined;
};

/**
 * Applies the effects of enabling or disabling an endpoint. Disabling cancels pending deliveries. An enabled endpoint receives only events
 * that are committed after it was enabled (PLT-45).
 */
async function applySwitch(
  tx: TransactionContext,
  id: string,
  isActive: boolean,
): Promise<{ readonly failedInRow?: number }> {
  if (isActive) {
    await moveCursorToEnd(tx.sql, id);
    return { failedInRow: 0 };
  }
  await cancelPendingDeliveries(tx, id);
  return {};
}

/** Updates an endpoint (PLT-41). Does nothing if there are no changes. Throws `webhook_not_found` and the same errors as `createWebhook`. */
export async function updateWebhook(ctx: Context, input: WebhookChanges): Promise<WebhookRow> {
  if (input.events) rejectRepeated(input.events);
  if (input.url) await checkUrl(ctx, input.url);
  return inTransaction(ctx, async (tx) => {
    const webhook = await requireLockedWebhook(tx, input.id);
    const { url, events, description, isActive, apiVersion } = webhook;
    const next = {
      url: input.url ?? url,
      events: [...(input.events ?? events)],
      description: input.description === undefined ? description : input.description,
      isActive: input.isActive ?? isActive,
      apiVersion: input.apiVersion ?? apiVersion,
    };
    if (isDeepStrictEqual(next, { url, events, description, isActive, apiVersion })) return webhook;
    const switched = next.isActive === isActive ? {} : await applySwitch(tx, webhook.id, next.isActive);
    const changes = { ...next, ...switched, updatedAt: tx.clock.now() };
    await tx.db.webhook.update({ where: { id: webhook.id }, data: changes });
    return { ...webhook, ...changes };
  });
}
