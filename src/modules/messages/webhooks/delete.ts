import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { cancelPendingDeliveries, requireLockedWebhook } from './store.ts';

/** Permanently deletes an endpoint and its secret, and cancels its pending deliveries (PLT-41). Throws `webhook_not_found`. */
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
