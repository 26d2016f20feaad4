import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { type Limits, type PromoCodeRow, planIdsNamed, requireLockedPromoCode } from './store.ts';

/** New limits of a promo code; what is undefined stays (OFR-33). */
export type PromoCodeChanges = Limits & { readonly id: string; readonly active?: boolean | null | undefined };

const orStored = <T>(provided: T | undefined, stored: T): T => (provided === undefined ? stored : provided);

/** Changes the limits of a promo code; its `updatedAt` stays when nothing changes. Throws `promo_code_not_found`, `plan_not_found`. */
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
