import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { type Allowance, heldCount, loadAllowances, requireHeldCounts } from '../quota/store.ts';
import { requireFeature } from '../usage/store.ts';

/** The seats a customer holds of a feature, of its plan or of an earlier one. */
export type HeldSeats = Pick<Allowance, 'feature' | 'count'>;

/**
 * The seats of one feature, 0 where there never were any (CON-51). Throws `customer_not_found`, `no_active_subscription`,
 * `feature_not_found`, and `validation_error` for a feature of another type.
 */
export async function requireSeats(
  ctx: Context,
  input: { readonly customerId: string; readonly featureCode: string },
): Promise<HeldSeats> {
  const held = await requireHeldCounts(ctx, input.customerId);
  const feature = await requireFeature(ctx, input.featureCode);
  if (feature.type !== 'seats') {
    throw validationError([
      { field: 'featureCode', message: `The feature is of type ${feature.type}, not seats.` },
    ]);
  }
  return { feature, count: heldCount(ctx, held, held.customerId, feature.id) };
}

/** The seats of every seats feature of a customer's plan, by code. Throws `customer_not_found` and `no_active_subscription`. */
export async function requireAllSeats(ctx: Context, reference: string): Promise<HeldSeats[]> {
  const { customerId } = await requireHeldCounts(ctx, reference);
  return loadAllowances(ctx, customerId, 'seats');
}
