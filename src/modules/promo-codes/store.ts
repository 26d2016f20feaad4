import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requirePlan } from '../plans/store.ts';

export type PromoCodeRow = Row<'PromoCode'>;

/** The promo code with this id. Throws `promo_code_not_found`. */
export async function requirePromoCode(ctx: Context, id: string): Promise<PromoCodeRow> {
  const code = await ctx.db.promoCode.findFirst({ where: { id } });
  if (code === null) throw new QuittanceError('promo_code_not_found', { param: 'id' });
  return code;
}

/** Locks the promo code until the transaction ends, so that no redemption overtakes, and answers it as it is at that time. Throws `promo_code_not_found`. */
export async function requireLockedPromoCode(ctx: Context, id: string): Promise<PromoCodeRow> {
  await lockRow(ctx.sql, 'PromoCode', id);
  return requirePromoCode(ctx, id);
}

/** The limits of a code. A null interval, limit or end takes it away; plans go by id or code. */
export type Limits = {
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly maxRedemptions?: number | null | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly planIds?: readonly string[] | null | undefined;
};

/** The ids of the plans named, each once, in order. Throws `plan_not_found` naming the first one that does not exist. */
export async function planIdsNamed(ctx: Context, references: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const [index, reference] of references.entries())
    ids.add((await requirePlan(ctx, reference, `planIds.${index}`)).id);
  return [...ids];
}

/** Whether a promo code has this code, whatever its state. */
export const isCodeTaken = async (ctx: Context, code: string): Promise<boolean> =>
  (await ctx.db.promoCode.findFirst({ where: { code } })) !== null;
