import { type App, systemContext } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { execute } from '../../engine/execute.ts';
import { findExpiredPurchases, findWaiting, type PurchaseKey, setPurchaseExpiry } from './store.ts';

/** Purchases looked at in one go. */
const batchSize = 100;

/** How long a purchase is left alone whose payment is under way, or whose environment cannot be changed right now. */
const againMs = 3_600_000;

/** What a cancellation says of its reason. */
export const abandonedReason = 'checkout_abandoned';

/** Ends what one purchase left open. Answers whether nothing is left. */
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
    // A payment that is under way decides first.
    isOver &&= done?.outcome.kind !== 'rejection';
  }
  const again = new Date(app.wall.now().getTime() + againMs);
  await setPurchaseExpiry(ctx.sql, id, isOver ? null : again);
  return isOver;
}

/**
 * Cancels the checkouts of purchases at pricing tables that were not completed in their time, by operational time (CAT-65). Completed ones are looked at
 * once and stay as they are. Answers how many were closed.
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
        await setPurchaseExpiry(ctx.sql, purchase.id, new Date(app.wall.now().getTime() + againMs));
      }
    }
    if (found.length < batchSize) return closed;
  }
}
