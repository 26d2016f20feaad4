import { lockRow } from '../../../platform/db/locks.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { hintChange, inTransaction, nextSeq } from '../../../request/transaction.ts';
import { isSuccess, logOf, sendEvent } from './send.ts';
import { type DeliveryRow, readLatestEvent, webhookRows } from './store.ts';

/** Event type for test deliveries. Endpoints can't subscribe to it. */
export const testKind = 'webhook.test';

/**
 * Sends a test event, or an example of an event type, to an endpoint, even if the endpoint is disabled (PLT-46). An example contains the
 * data from the latest event of its type, or empty data if no such event is stored. Returns the recorded delivery. A test isn't retried and
 * doesn't count toward disabling the endpoint. Throws `webhook_not_found`.
 */
export async function testWebhook(
  ctx: Context,
  { id, event }: { readonly id: string; readonly event?: string | null | undefined },
): Promise<DeliveryRow> {
  const webhook = await webhookRows.require(ctx, id);
  const example = event ? await readLatestEvent(ctx.sql, event) : null;
  const data = example?.data ?? {};
  const emitted = { id: newId('whev'), kind: event ?? testKind, occurredAt: ctx.clock.now(), data };
  const sentAt = ctx.wall.now();
  const result = await sendEvent(ctx, webhook, emitted);
  return inTransaction(
    ctx,
    async (tx) => {
      // Lock the endpoint's row before taking sequence numbers, as all transactions that write deliveries
      // do. The opposite order could cause a deadlock.
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
