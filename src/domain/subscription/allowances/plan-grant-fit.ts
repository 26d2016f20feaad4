// Checks whether a plan can be granted to a subscription with another plan (SUB-53).

import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type { Catalog, PlanRow } from '../../pricing/catalog.ts';
import { poolsOf, shownModel } from '../../pricing/pools.ts';
import type { FeatureTerms } from '../../pricing/terms.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { grantedTerms, withoutGrant } from '../../usage/plan-grant-terms.ts';
import { heldUsageFeatures } from '../../usage/terms.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';
import { holdingOf } from './allowance.ts';

/**
 * Release of a plan: a fixed set of its features. `seq` is the sequence number of the latest feature
 * version.
 */
export type PlanRelease = { readonly id: string; readonly seq: bigint };

/**
 * Returns the current release of a plan (SUB-54). The latest feature version identifies the release, because
 * versions are immutable. `seq` is 0 if the plan never had a feature.
 */
export function releaseOf({ featureVersions }: Catalog, planId: string): PlanRelease {
  const versions = [...(featureVersions.get(planId)?.values() ?? [])].flat();
  const latest = versions.reduce<{ id: string; seq: bigint }>(
    (last, version) => (version.seq > last.seq ? version : last),
    {
      id: planId,
      seq: 0n,
    },
  );
  return { id: `plr_${latest.id.slice(latest.id.indexOf('_') + 1)}`, seq: latest.seq };
}

const isMetered = (plan: PlanRow): boolean => poolsOf(plan).length === 0;

/** Returns true if usage under these terms can be charged on top of the plan's price. */
const isSold = ({ overageEnabled, derived }: FeatureTerms): boolean => overageEnabled || derived !== null;

const sellsUse = 'sells use beyond what is included, or by AI model; such plans take no part in plan grants.';

/**
 * Returns the reason why a plan can't be granted to a subscription at a release, or `null` if the grant is possible.
 * Checks, in this order: different plan groups (`plans_not_in_same_group`), a rank that isn't higher, a consumption
 * model other than `metered`, and overage or AI model pricing in either plan.
 */
export function pairRejection(
  draft: Draft,
  subscription: SubscriptionRow,
  target: PlanRow,
  releaseSeq: bigint,
): Rejection | null {
  const { catalog } = draft.aggregate;
  const base = planOf(draft, subscription);
  if (base.planGroupId === null || base.planGroupId !== target.planGroupId) {
    return specificRejection('plans_not_in_same_group', 'two_plans', { param: 'planId' });
  }
  if (target.sortOrder <= base.sortOrder)
    return fieldRejection('planId', "The granted plan must rank above the subscription's plan.");
  if (!isMetered(base))
    return fieldRejection(
      'subscriptionId',
      `Plan grants require a metered plan. This subscription's plan uses the ${shownModel(base)} model.`,
    );
  if (!isMetered(target))
    return fieldRejection(
      'planId',
      `Plan grants require a metered plan. The granted plan uses the ${shownModel(target)} model.`,
    );
  const held = heldUsageFeatures(
    catalog,
    { ...holdingOf(draft, withoutGrant(subscription)), addons: [] },
    draft.dueAt,
  );
  if (held.some(({ terms }) => isSold(terms)))
    return fieldRejection('subscriptionId', `The plan of the subscription ${sellsUse}`);
  const view = { grantedPlanId: target.id, grantedReleaseSeq: releaseSeq };
  const released = [...(catalog.featureVersions.get(target.id)?.keys() ?? [])].map((featureId) =>
    grantedTerms(catalog, view, featureId),
  );
  return released.some((terms) => terms !== null && isSold(terms))
    ? fieldRejection('planId', `The granted plan ${sellsUse}`)
    : null;
}
