import type { Context } from '../../../request/context.ts';
import { type Limits, type PromoCodeRow, planIdsNamed, promoCodeRows } from './store.ts';

/** New limits and active status for a promo code. `undefined` keeps the current value (OFR-33). */
export type PromoCodeChanges = Limits & { readonly id: string; readonly active?: boolean | null | undefined };

/**
 * Updates the limits of a promo code, or enables or disables the code. `updatedAt` stays the same if nothing changes. Throws
 * `promo_code_not_found` and `plan_not_found`.
 */
export const updatePromoCode = (
  ctx: Context,
  { id, active, planIds, ...limits }: PromoCodeChanges,
): Promise<PromoCodeRow> =>
  promoCodeRows.update(ctx, id, async (tx) => ({
    ...limits,
    isActive: active,
    planIds: planIds == null ? undefined : await planIdsNamed(tx, planIds),
  }));
