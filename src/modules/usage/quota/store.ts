import DataLoader from 'dataloader';
import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { FeatureRow } from '../../../domain/pricing/catalog.ts';
import type { FeatureCountRow } from '../../../domain/rows/usage-rows.ts';
import { noCount } from '../../../domain/usage/counts.ts';
import { featureProblem } from '../../../domain/usage/event-checks.ts';
import type { UsageTerms } from '../../../domain/usage/terms.ts';
import { type HeldCounts, readHeldCounts } from '../../../engine/counts.ts';
import type { Context } from '../../../request/context.ts';
import { featureRows } from '../../catalog/features/store.ts';
import { requireCustomer } from '../../customers/customers/store.ts';

/** A customer's count for a feature of the plan, with the current terms. */
export type Allowance = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly count: FeatureCountRow;
};

/** Returns a customer's subscription and features, with the counts of seats and quota units. Batched. */
function loadHeldCounts(ctx: Context, customerId: string): Promise<HeldCounts> {
  const loader = ctx.once('counts:held', () => {
    return new DataLoader<string, HeldCounts>(async (customerIds) => {
      const held = await readHeldCounts(ctx, customerIds);
      return customerIds.map((id) => held.get(id) ?? new Error(`The counts of ${id} were not read.`));
    });
  });
  return loader.load(customerId);
}

/** Returns a customer's counts. Throws `customer_not_found`, and `no_active_subscription` if no subscription gives access. */
export async function requireHeldCounts(
  ctx: Context,
  reference: string,
): Promise<HeldCounts & { readonly customerId: string }> {
  const { id: customerId } = await requireCustomer(ctx, reference, 'customerId');
  const held = await loadHeldCounts(ctx, customerId);
  if (held.subscription === null)
    throw specificError('no_active_subscription', 'no_access', { param: 'customerId' });
  return { ...held, customerId };
}

/** Returns the count of a feature. 0 if the feature has never been counted (CON-51). */
export const heldCount = (
  ctx: Context,
  { counts }: HeldCounts,
  customerId: string,
  featureId: string,
): FeatureCountRow => counts.get(featureId) ?? noCount(customerId, featureId, ctx.clock.now());

/**
 * Returns the customer's counts for the plan's features of a type (seats or quota), sorted by feature code. Empty if no subscription gives
 * access. Batched.
 */
export async function loadAllowances(
  ctx: Context,
  customerId: string,
  type: FeatureRow['type'],
): Promise<Allowance[]> {
  const held = await loadHeldCounts(ctx, customerId);
  return held.features
    .filter(({ feature }) => feature.type === type)
    .map(({ feature, terms }) => ({ feature, terms, count: heldCount(ctx, held, customerId, feature.id) }));
}

/**
 * Returns the allowance for one quota feature, even if the feature is disabled. Throws `customer_not_found`, `no_active_subscription`,
 * `feature_not_found`, `validation_error` if the feature has another type, and `feature_not_in_plan`.
 */
export async function requireAllowance(
  ctx: Context,
  input: { readonly customerId: string; readonly featureCode: string },
): Promise<Allowance> {
  const held = await requireHeldCounts(ctx, input.customerId);
  const feature = await featureRows.require(ctx, input.featureCode, 'featureCode');
  const terms = held.features.find((one) => one.feature.id === feature.id)?.terms ?? null;
  const problem = featureProblem(feature, terms, 'quota');
  if (problem !== null && problem.code !== 'feature_disabled') throw new QuittanceError(problem);
  if (terms === null) throw new Error('A feature without terms has a problem.');
  return { feature, terms, count: heldCount(ctx, held, held.customerId, feature.id) };
}
