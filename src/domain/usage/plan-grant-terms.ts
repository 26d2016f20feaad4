// Terms of a subscription with a plan grant (SUB-54). For each amount, the higher of the subscribed plan's
// and the granted plan's value applies.
import { maxOf } from '../money/money.ts';
import type { Catalog } from '../pricing/catalog.ts';
import { type FeatureTerms, releasedTerms } from '../pricing/terms.ts';
import type { SubscriptionRow } from '../rows/rows.ts';

/** Subscription columns that identify the plan grant. */
export type GrantView = Pick<SubscriptionRow, 'grantedPlanId' | 'grantedReleaseSeq'>;

/** Access that the subscribed plan provides without the plan grant. A disabled feature includes 0 units. */
export type BaseAccess = {
  readonly enabled: boolean;
  readonly included: bigint;
  readonly unlimited: boolean;
};

/** Returns true if the subscription has an active plan grant. */
export const hasPlanGrant = ({ grantedPlanId }: Pick<GrantView, 'grantedPlanId'>): boolean =>
  grantedPlanId !== null;

export const withoutGrant = <T extends GrantView>(subscription: T): T => ({
  ...subscription,
  grantedPlanId: null,
  grantedReleaseSeq: null,
});

/**
 * Returns a feature's terms in the granted release of a plan. `null` if there is no grant, or if the release
 * doesn't include the feature.
 */
export function grantedTerms(
  catalog: Catalog,
  { grantedPlanId, grantedReleaseSeq }: GrantView,
  featureId: string,
): FeatureTerms | null {
  if (grantedPlanId === null || grantedReleaseSeq === null) return null;
  return releasedTerms(catalog.featureVersions.get(grantedPlanId)?.get(featureId) ?? [], grantedReleaseSeq);
}

/**
 * Combines the terms of a feature in two plans. `null` if neither plan includes the feature. If the feature
 * is disabled in one plan, only the other plan's terms apply. Overage isn't sold.
 */
export function widened(base: FeatureTerms | null, granted: FeatureTerms | null): FeatureTerms | null {
  const sides = [base, granted].filter((terms) => terms !== null);
  const provided = sides.filter(({ enabled }) => enabled);
  const counted = provided.length === 0 ? sides : provided;
  const [first] = counted;
  if (first === undefined) return null;
  return {
    ...first,
    includedAmount: counted.map(({ includedAmount }) => includedAmount).reduce(maxOf),
    unlimited: counted.some(({ unlimited }) => unlimited),
    overageEnabled: false,
    rates: null,
  };
}

/** Returns the access that the plan's terms provide. If `terms` is `null`, there is no access. */
export const baseAccessOf = (terms: FeatureTerms | null): BaseAccess =>
  terms?.enabled === true
    ? { enabled: true, included: terms.includedAmount, unlimited: terms.unlimited }
    : { enabled: false, included: 0n, unlimited: false };
