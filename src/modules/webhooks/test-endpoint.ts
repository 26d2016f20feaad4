import type { Context } from '../../context.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { isSuccess, sendEvent } from './send.ts';
import { type DeliveryRow, requireWebhook } from './service.ts';

/** The kind of a test, outside the kinds endpoints subscribe to. */
export const testKind = 'webhook.test';

/**
 * Sends a test event to an endpoint once, active or not, and answers the record of it (PLT-46). It is not tried again and does not count for
 * disabling. Throws `webhook_not_found`.
 */
export async function testWebhook(context: Context, id: string): Promise<DeliveryRow> {
  const webhook = await requireWebhook(context, id);
  const told = { id: newId('whev'), kind: testKind, occurredAt: context.clock.now(), data: {} };
  const sentAt = context.wall.now();
  const result = await sendEvent(context, webhook, told);
  return inTransaction(
    context,
    async (inner) =>
      inner.db.webhookDelivery.create({
        data: {
          id: newId('whd'),
          seq: await nextSeq(inner),
          webhookId: webhook.id,
          eventId: told.id,
          kind: told.kind,
          occurredAt: told.occurredAt,
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
          createdAt: sentAt,
          finishedAt: inner.wall.now(),
        },
      }),
    { clockLock: 'none' },
  );
}
