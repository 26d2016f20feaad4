import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { priceNotFound, requireLockedPlan, requirePrice } from '../plans/store.ts';
import { findSelectablePrices } from './store.ts';

/**
 * Archives a price: it can no longer be selected; subscriptions bound to it renew from its values, which stay editable (CAT-20).
 * Throws `plan_not_found`, `price_not_found` also for one archived before, `price_in_use` for the default price while another one can be
 * selected and for a base price with variants.
 */
export const archivePlanPrice = (
  ctx: Context,
  reference: { readonly planId: string; readonly priceId: string },
): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, reference.planId, 'planId');
    const price = await requirePrice(tx, plan.id, reference.priceId);
    if (price.archivedAt !== null) throw priceNotFound('priceId');
    const others = (await findSelectablePrices(tx, plan.id)).filter(({ id }) => id !== price.id);
    if (others.some((other) => other.inheritsFromPriceId === price.id)) {
      throw specificError('price_in_use', 'inherited', { param: 'priceId' });
    }
    if (price.isDefault && others.length > 0) {
      throw specificError('price_in_use', 'default', { param: 'priceId' });
    }
    const now = tx.clock.now();
    // The mark goes with the last selectable price, so that the next one added to the plan gets it.
    await tx.db.planPrice.update({
      where: { id: price.id },
      data: { archivedAt: now, isDefault: false, updatedAt: now },
    });
    return { id: price.id, object: 'plan_price' };
  });
