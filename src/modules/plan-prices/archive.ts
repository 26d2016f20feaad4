import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { priceNotFound, requireLockedPlan, requirePrice } from '../plans/store.ts';

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
    const others = await tx.db.planPrice.findMany({
      where: { planId: plan.id, archivedAt: null, id: { not: price.id } },
    });
    if (others.some((other) => other.inheritsFromPriceId === price.id)) {
      throw new QuittanceError('price_in_use', 'Variants inherit from this price.', { param: 'priceId' });
    }
    if (price.isDefault && others.length > 0) {
      throw new QuittanceError(
        'price_in_use',
        'This is the default price; make another one the default first.',
        { param: 'priceId' },
      );
    }
    const now = tx.clock.now();
    // The mark goes with the last selectable price, so that the next one added to the plan gets it.
    await tx.db.planPrice.update({
      where: { id: price.id },
      data: { archivedAt: now, isDefault: false, updatedAt: now },
    });
    return { id: price.id, object: 'plan_price' };
  });
