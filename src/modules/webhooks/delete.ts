import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { cancelPendingDeliveries, requireLockedWebhook } from './store.ts';

/** Deletes an endpoint permanently, its secret with it; what has not been delivered is dropped (PLT-41). Throws `webhook_not_found`. */
export const deleteWebhook = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    await requireLockedWebhook(tx, id);
    const now = tx.clock.now();
    await tx.db.webhook.update({
      where: { id },
      data: {
        isActive: false,
        sealedSecret: '',
        previousSecret: null,
        previousSecretUntil: null,
        updatedAt: now,
        deletedAt: now,
      },
    });
    await cancelPendingDeliveries(tx, id);
    return { id, object: 'webhook' };
  });
