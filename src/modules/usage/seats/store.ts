import { validationError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { featureRows } from '../../catalog/features/store.ts';
import { type Allowance, heldCount, loadAllowances, requireHeldCounts } from '../quota/store.ts';

/** A customer's number of seats for a feature, which can belong to an earlier plan. */
export type HeldSeats = Pick<Allowance, 'feature' | 'count'>;

/**
 * Returns the customer's seats for one feature. 0 if the customer never had seats (CON-51). Throws `customer_not_found`,
 * `no_active_subscription`, `feature_not_found`, and `validation_error` if the feature has another type.
 */
export async function requireSeats(
  ctx: Context,
  input: { readonly customerId: string; readonly featureCode: string },
): Promise<HeldSeats> {
  const held = await requireHeldCounts(ctx, input.customerId);
  const feature = await featureRows.require(ctx, input.featureCode, 'featureCode');
  if (feature.type !== 'seats') {
    throw validationError([
      {
        field: 'featureCode',
        message: `must be the code of a seat feature, but this feature has the type ${feature.type}`,
      },
    ]);
  }
  return { feature, count: heldCount(ctx, held, held.customerId, feature.id) };
}

/**
 * Returns the customer's seats for each seat feature of the plan, sorted by feature code. Throws `customer_not_found` and
 * `no_active_subscription`.
 */
export async function requireAllSeats(ctx: Context, reference: string): Promise<HeldSeats[]> {
  const { customerId } = await requireHeldCounts(ctx, reference);
  return loadAllowances(ctx, customerId, 'seats');
}
