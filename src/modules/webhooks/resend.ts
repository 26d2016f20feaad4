import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { eventTopic } from '../../outbox/write.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type DeliveryRow, requireDelivery, requireLockedWebhook } from './store.ts';

/**
 * Sends one delivery again on request, also to an endpoint that is switched off: a finished one begins again with all its attempts, one that waits
 * for its next attempt has it at once (PLT-45). Throws `not_found` for an unknown delivery, `webhook_not_found` when its endpoint was deleted,
 * `validation_error` for a test.
 */
export const resendDelivery = (ctx: Context, id: string): Promise<DeliveryRow> =>
  inTransaction(
    ctx,
    async (tx) => {
      const found = await requireDelivery(tx, id);
      if (found.position === 0n)
        throw validationError([
          { field: 'id', message: 'is a test, which is not sent again; test once more' },
        ]);
      // The endpoint's row is what everybody who changes its deliveries locks.
      await requireLockedWebhook(tx, found.webhookId);
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
      if (resent === undefined) throw new Error(`The delivery ${id} went away under its lock.`);
      tx.transaction.afterCommit(() => tx.app.pubsub.hint(eventTopic(tx.environment.id)));
      return resent;
    },
    { clockLock: 'none' },
  );
