import { validationError } from '../../../domain/errors/errors.ts';
import { eventTopic } from '../../../outbox/write.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { type DeliveryRow, requireDelivery, webhookRows } from './store.ts';

/**
 * Resends a delivery, even if its endpoint is disabled (PLT-45). A finished delivery restarts with all attempts, and a pending delivery is
 * attempted immediately. Throws `not_found` if the delivery doesn't exist, `webhook_not_found` if its endpoint was deleted, and
 * `validation_error` if the delivery is a test.
 */
export const resendDelivery = (ctx: Context, id: string): Promise<DeliveryRow> =>
  inTransaction(
    ctx,
    async (tx) => {
      const found = await requireDelivery(tx, id);
      if (found.position === 0n)
        throw validationError([
          { field: 'id', message: "is a test delivery and can't be resent. Send another test event instead" },
        ]);
      // Every transaction that changes an endpoint's deliveries locks the endpoint's row first.
      await webhookRows.lock(tx, found.webhookId);
      const now = tx.wall.now();
      const version = await nextSeq(tx);
      const [delivery] = await tx.db.webhookDelivery.update({
        where: { id, status: 'pending' },
        data: { nextAttemptAt: now, version },
      });
      const [resent] =
        delivery === undefined
          ? await tx.db.webhookDelivery.update({
              where: { id },
              data: { status: 'pending', attempts: 0, nextAttemptAt: now, finishedAt: null, version },
            })
          : [delivery];
      if (resent === undefined) throw new Error(`The delivery ${id} disappeared while it was locked.`);
      tx.transaction.afterCommit(() => tx.app.pubsub.hint(eventTopic(tx.environment.id)));
      return resent;
    },
    { clockLock: 'none' },
  );
