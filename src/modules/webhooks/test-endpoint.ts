import type { Context } from '../../context.ts';
import { lockRow } from '../../platform/db/locks.ts';
import { newId } from '../../platform/ids.ts';
import { hintChange, inTransaction, nextSeq } from '../../transaction.ts';
import { isSuccess, logOf, sendEvent } from './send.ts';
import { type DeliveryRow, readLatestEvent, requireWebhook } from './store.ts';

/** The kind of a test, outside the kinds endpoints subscribe to. */
export const testKind = 'webhook.test';

/**
 * Sends a test event to an endpoint once, or an example of a kind: with the data of the latest event of that kind, empty where there was none. It is sent, active or not, and answers the record of it (PLT-46). It is not tried again and does not count for
 * disabling. Throws `webhook_not_found`.
 */
export async function testWebhook(
  ctx: Context,
  { id, event }: { readonly id: string; readonly event?: string | null | undefined },
): Promise<DeliveryRow> {
  const webhook = await requireWebhook(ctx, id);
  const example = event ? await readLatestEvent(ctx.sql, event) : null;
  const data = example?.data ?? {};
  const emitted = { id: newId('whev'), kind: event ?? testKind, occurredAt: ctx.clock.now(), data };
  const sentAt = ctx.wall.now();
  const result = await sendEvent(ctx, webhook, emitted);
  return inTransaction(
    ctx,
    async (tx) => {
      // The endpoint's row comes before numbers, as for everybody who writes deliveries: the other way round two of them wait for each other.
      await lockRow(tx.sql, 'Webhook', webhook.id);
      const seq = await nextSeq(tx);
      hintChange(tx);
      return tx.db.webhookDelivery.create({
        data: {
          id: newId('whd'),
          seq,
          version: seq,
          webhookId: webhook.id,
          eventId: emitted.id,
          kind: emitted.kind,
          occurredAt: emitted.occurredAt,
          customerId: null,
          position: 0n,
          status: isSuccess(result) ? 'succeeded' : 'failed',
          attempts: 1,
          nextAttemptAt: null,
          lastAttemptAt: sentAt,
          responseStatus: result.status,
          responseBody: result.answer,
          error: result.error,
          durationMs: result.durationMs,
          attemptLog: logOf(sentAt, result),
          testData: data,
          createdAt: sentAt,
          finishedAt: tx.wall.now(),
        },
      });
    },
    { clockLock: 'none' },
  );
}
