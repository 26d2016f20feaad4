// The terms of a subscription with a plan grant (SUB-54): the larger of what its own plan and the granted
// plan include.
import { maxOf } from '../money.ts';
import type { Catalog } from '../pricing/catalog.ts';
import { type FeatureTerms, releasedTerms } from '../pricing/terms.ts';
import type { SubscriptionRow } from '../subscription/state/rows.ts';

/** The fields of a subscription that hold its plan grant. */
export type GrantView = Pick<SubscriptionRow, 'grantedPlanId' | 'grantedReleaseSeq'>;

/**
 * What the plan alone gives of a feature while a plan grant widens it; units of a feature that is switched
 * off are none.
 */
export type BaseAccess = {
  readonly enabled: boolean;
  readonly included: bigint;
  readonly unlimited: boolean;
};

/** Whether a plan grant widens the access of a subscription. */
export const isWidened = ({ grantedPlanId }: Pick<GrantView, 'grantedPlanId'>): boolean =>
  grantedPlanId !== null;

/** The subscription as it would be without its plan grant. */
export const withoutGrant = <T extends GrantView>(subscription: T): T => ({
  ...subscription,
  grantedPlanId: null,
  grantedReleaseSeq: null,
});

/**
 * The terms of a feature in the pinned release of the granted plan; null without a grant, and where the
 * release lacks the feature.
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
 * The union of the terms of two plans; null where neither has the feature. What a plan has switched off adds
 * nothing to what the other one gives. Nothing beyond what is included is sold.
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
    unitPriceRate: null,
  };
}

/** What terms include without a plan grant; nothing where they are null. */
export const baseAccessOf = (terms: FeatureTerms | null): BaseAccess =>
  terms?.enabled === true
    ? { enabled: true, included: terms.includedAmount, unlimited: terms.unlimited }
    : { enabled: false, included: 0n, unlimited: false };
