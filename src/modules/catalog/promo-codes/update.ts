import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type Limits, type PromoCodeRow, planIdsNamed, requireLockedPromoCode } from './store.ts';

/** New limits and active status for a promo code. `undefined` keeps the current value (OFR-33). */
export type PromoCodeChanges = Limits & { readonly id: string; readonly active?: boolean | null | undefined };

const orStored = <T>(provided: T | undefined, stored: T): T => (provided === undefined ? stored : provided);

/**
 * Updates the limits of a promo code, or enables or disables the code. `updatedAt` stays the same if nothing changes. Throws
 * `promo_code_not_found` and `plan_not_found`.
 */
export const updatePromoCode = (ctx: Context, input: PromoCodeChanges): Promise<PromoCodeRow> =>
  inTransaction(ctx, async (tx) => {
    const code = await requireLockedPromoCode(tx, input.id);
    const { billingInterval, maxRedemptions, expiresAt, isActive } = code;
    const stored = { billingInterval, maxRedemptions, expiresAt, isActive, planIds: code.planIds };
    const next = {
      billingInterval: orStored(input.billingInterval, billingInterval),
      maxRedemptions:
        input.maxRedemptions == null
          ? orStored(input.maxRedemptions, maxRedemptions)
          : BigInt(input.maxRedemptions),
      expiresAt: orStored(input.expiresAt, expiresAt),
      isActive: input.active ?? isActive,
      planIds: input.planIds == null ? stored.planIds : await planIdsNamed(tx, input.planIds),
    };
    if (isDeepStrictEqual(next, stored)) return code;
    const changes = { ...next, updatedAt: tx.clock.now() };
    await tx.db.promoCode.update({ where: { id: code.id }, data: changes });
    return { ...code, ...changes };
  });
