import type { Context, TransactionContext } from '../../../request/context.ts';
import {
  cancelPendingDeliveries,
  checkUrl,
  moveCursorToEnd,
  rejectRepeated,
  type WebhookRow,
  webhookRows,
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
export async function updateWebhook(ctx: Context, { id, ...input }: WebhookChanges): Promise<WebhookRow> {
  if (input.events) rejectRepeated(input.events);
  if (input.url) await checkUrl(ctx, input.url);
  return webhookRows.update(ctx, id, async (tx, { isActive }) => {
    const wanted = input.isActive ?? isActive;
    return { ...input, ...(wanted === isActive ? {} : await applySwitch(tx, id, wanted)) };
  });
}
