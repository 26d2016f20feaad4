import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requirePlan } from '../plans/store.ts';

export type PromoCodeRow = Row<'PromoCode'>;

/** Returns the promo code with this ID. Throws `promo_code_not_found`. */
export async function requirePromoCode(ctx: Context, id: string): Promise<PromoCodeRow> {
  const code = await ctx.db.promoCode.findFirst({ where: { id } });
  if (code === null) throw new QuittanceError('promo_code_not_found', { param: 'id' });
  return code;
}

/**
 * Locks the promo code until the transaction ends and returns its current state. The lock serializes changes and redemptions. Throws
 * `promo_code_not_found`.
 */
export async function requireLockedPromoCode(ctx: Context, id: string): Promise<PromoCodeRow> {
  await lockRow(ctx.sql, 'PromoCode', id);
  return requirePromoCode(ctx, id);
}

/** Limits of a promo code. `null` removes a limit. Plans are identified by ID or code. */
export type Limits = {
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly maxRedemptions?: number | null | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly planIds?: readonly string[] | null | undefined;
};

/**
 * Returns the IDs of the referenced plans, in the order of the references and without duplicates. Throws `plan_not_found` if a plan doesn't
 * exist.
 */
export async function planIdsNamed(ctx: Context, references: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const [index, reference] of references.entries())
    ids.add((await requirePlan(ctx, reference, `planIds.${index}`)).id);
  return [...ids];
}

/** True if a promo code, active or not, has this code. */
export const isCodeTaken = async (ctx: Context, code: string): Promise<boolean> =>
  (await ctx.db.promoCode.findFirst({ where: { code } })) !== null;
