import { specificError } from '../../../domain/errors/errors.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { planRows, priceNotFound, requirePrice } from '../plans/store.ts';
import { findSelectablePrices, priceRows } from './store.ts';

/**
 * Archives a price, so that it's no longer selectable. Subscriptions with the price still renew at its amounts, which can still be changed
 * (CAT-20). Throws `plan_not_found`. Throws `price_not_found` if the price doesn't exist or is archived. Throws `price_in_use` if the price
 * is a base price with variants, or is the default while other prices are selectable.
 */
export const archivePlanPrice = (
  ctx: Context,
  reference: { readonly planId: string; readonly priceId: string },
): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, reference.planId, 'planId');
    const price = await requirePrice(tx, plan.id, reference.priceId);
    if (price.archivedAt !== null) throw priceNotFound('priceId');
    const others = (await findSelectablePrices(tx, plan.id)).filter(({ id }) => id !== price.id);
    if (others.some((other) => other.inheritsFromPriceId === price.id)) {
      throw specificError('price_in_use', 'inherited', { param: 'priceId' });
    }
    if (price.isDefault && others.length > 0) {
      throw specificError('price_in_use', 'default', { param: 'priceId' });
    }
    // Removes the default flag from the last selectable price, so that the next price added to the plan becomes the default.
    await priceRows.patch(tx, price, { archivedAt: tx.clock.now(), isDefault: false });
    return { id: price.id, object: 'plan_price' };
  });
