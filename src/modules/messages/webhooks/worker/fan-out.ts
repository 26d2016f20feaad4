import { type EventRow, lastEventPosition, readEventsBetween } from '../../../../outbox/read.ts';
import { takeNumbers } from '../../../../outbox/write.ts';
import { type BulkRow, insertRows } from '../../../../platform/db/bulk.ts';
import { newId } from '../../../../platform/ids.ts';
import type { Context, TransactionContext } from '../../../../request/context.ts';
import { hintChange, inTransaction } from '../../../../request/transaction.ts';
import type { WebhookRow } from '../store.ts';
import { lockCursor, moveCursor, webhookRows } from '../store.ts';

/** Maximum number of events that one transaction creates deliveries for. */
const eventsPerBatch = 500;

const deliveryOf = (
  event: EventRow,
  webhookId: string,
  seq: bigint,
  now: Date,
): BulkRow<'WebhookDelivery'> => ({
  id: newId('whd'),
  seq,
  webhookId,
  eventId: event.id,
  kind: event.kind,
  occurredAt: event.occurredAt,
  customerId: event.customerId,
  position: event.position,
  status: 'pending',
  attempts: 0,
  nextAttemptAt: now,
  lastAttemptAt: null,
  responseStatus: null,
  responseBody: null,
  error: null,
  durationMs: null,
  attemptLog: null,
  testData: null,
  createdAt: now,
  finishedAt: null,
  version: seq,
});

/** Returns false for events of limits that don't have the channel `webhook`. */
const isForWebhooks = ({ kind, data }: EventRow): boolean =>
  !kind.startsWith('limit.') || !Array.isArray(data['channels']) || data['channels'].includes('webhook');

/** Creates deliveries for the next events that the endpoint subscribes to, and moves its cursor past these events, in one transaction. */
async function advance(tx: TransactionContext, webhook: WebhookRow, owner: string): Promise<void> {
  const { transaction } = tx;
  const after = await lockCursor(tx.sql, webhook.id, owner);
  const upTo = await lastEventPosition(tx.sql);
  if (after === null || upTo <= after) return;
  const found = await readEventsBetween(
    tx.sql,
    { kinds: webhook.events },
    { after, upTo, limit: eventsPerBatch },
  );
  const isFull = found.length === eventsPerBatch;
  await moveCursor(tx.sql, webhook.id, isFull ? (found.at(-1)?.position ?? upTo) : upTo);
  const events = found.filter(isForWebhooks);
  if (events.length === 0) return;
  const { seq } = await takeNumbers(transaction.query, tx.environment.id, { seq: events.length });
  const now = tx.wall.now();
  const rows = events.map((event, index) => deliveryOf(event, webhook.id, seq + BigInt(index), now));
  await insertRows(tx.sql, 'WebhookDelivery', rows);
  hintChange(tx);
}

/**
 * Creates deliveries for the next outbox events for an endpoint leased to `owner`. Each event is processed once. Returns the current state
 * of the endpoint, or `null` if the endpoint was deleted. A disabled endpoint gets no new deliveries. `usage.recorded` is delivered only to
 * endpoints that list this event type.
 */
export const fanOut = (ctx: Context, webhookId: string, owner: string): Promise<WebhookRow | null> =>
  inTransaction(
    ctx,
    async (tx) => {
      const webhook = await webhookRows.findLocked(tx, webhookId);
      if (webhook?.isActive === true) await advance(tx, webhook, owner);
      return webhook;
    },
    { clockLock: 'none' },
  );
