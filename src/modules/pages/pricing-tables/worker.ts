import { QuittanceError } from '../../../domain/errors/errors.ts';
import { execute } from '../../../engine/execute.ts';
import { type App, systemContext } from '../../../request/context.ts';
import { findExpiredPurchases, findWaiting, type PurchaseKey, setPurchaseExpiry } from './store.ts';

/** Number of purchases processed per batch. */
const batchSize = 100;

/** Delay before a purchase is checked again if a payment is processing or the subscription can't be canceled. */
const retryDelayMs = 3_600_000;

/** Cancellation reason of an abandoned purchase. */
const abandonedReason = 'checkout_abandoned';

/** Cancels a purchase's open subscriptions. Returns `true` if no open subscription is left. */
async function closePurchase(app: App, { environmentId, id, customerId }: PurchaseKey): Promise<boolean> {
  const ctx = await systemContext(app, environmentId, 'pricing tables');
  let isOver = true;
  for (const subscriptionId of await findWaiting(ctx, customerId)) {
    const input = {
      kind: 'subscription.cancel',
      subscriptionId,
      reason: abandonedReason,
      immediate: true,
    } as const;
    const [done] = await execute(ctx, [{ customerId, input }]);
    // The outcome of a payment that is still processing determines whether the purchase is completed.
    isOver &&= done?.outcome.kind !== 'rejection';
  }
  const again = new Date(app.wall.now().getTime() + retryDelayMs);
  await setPurchaseExpiry(ctx.sql, id, isOver ? null : again);
  return isOver;
}

/**
 * Cancels pricing table purchases that weren't completed in time, based on real time (CAT-65). Completed purchases don't change and aren't
 * checked anymore. Returns the number of closed purchases.
 */
export async function closeExpiredPurchases(app: App): Promise<number> {
  let closed = 0;
  for (;;) {
    const found = await findExpiredPurchases(app.database.query, app.wall.now(), batchSize);
    for (const purchase of found) {
      try {
        if (await closePurchase(app, purchase)) closed += 1;
      } catch (error) {
        if (!(error instanceof QuittanceError)) throw error;
        const ctx = await systemContext(app, purchase.environmentId, 'pricing tables');
        await setPurchaseExpiry(ctx.sql, purchase.id, new Date(app.wall.now().getTime() + retryDelayMs));
      }
    }
    if (found.length < batchSize) return closed;
  }
}
