import { isDeepStrictEqual } from 'node:util';
import type { Context, TransactionContext } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import {
  cancelPendingDeliveries,
  checkUrl,
  moveCursorToEnd,
  rejectRepeated,
  requireLockedWebhook,
  type WebhookRow,
} from './store.ts';

/** Changes to an endpoint; what is undefined stays, a null description takes it away. */
export type WebhookChanges = {
  readonly id: string;
  readonly url?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
  readonly apiVersion?: string | null | undefined;
};

/** What follows from switching an endpoint: off, its undelivered events are given up; on, it begins with what is committed from then on (PLT-45). */
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

/** Changes an endpoint, only in what is given; nothing given is accepted and changes nothing (PLT-41). Throws `webhook_not_found` and what creating one throws for the same inputs. */
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
