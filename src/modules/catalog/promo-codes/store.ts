import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { planRows } from '../plans/store.ts';

export type PromoCodeRow = Row<'PromoCode'>;

/** Promo codes, active or not. Locks serialize changes and redemptions. */
export const promoCodeRows = resource('PromoCode', {
  prefix: 'prc',
  object: 'promo_code',
  notFound: (param) => new QuittanceError('promo_code_not_found', { param }),
  unique: { code: () => specificError('duplicate', 'promo_code', { param: 'code' }) },
  defaults: { isActive: true, redemptionCount: 0n },
});

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
    ids.add((await planRows.require(ctx, reference, `planIds.${index}`)).id);
  return [...ids];
}
