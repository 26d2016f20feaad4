// Which plans may be granted beside which (SUB-53).

import { type Rejection, specificRejection } from '../../errors.ts';
import type { Catalog, PlanRow } from '../../pricing/catalog.ts';
import type { FeatureTerms } from '../../pricing/terms.ts';
import { grantedTerms, withoutGrant } from '../../usage/plan-grant-terms.ts';
import { heldUsageFeatures } from '../../usage/terms.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';
import { holdingOf } from './allowance.ts';

/** The features of a plan as they stand: the id of this state, and the seq of the version that made it. */
export type PlanRelease = { readonly id: string; readonly seq: bigint };

/**
 * The present release of a plan (SUB-54). Versions are never changed, so that the latest one names all there
 * are; a plan that never had a feature has a release of its own.
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

const isMetered = ({ consumptionModel }: PlanRow): boolean => consumptionModel === 'metered';

/** Terms by which use costs more than the plan itself. */
const isSold = ({ overageEnabled, pricingMode }: FeatureTerms): boolean =>
  overageEnabled || pricingMode === 'ai_model';

const sellsUse = 'sells use beyond what is included, or by AI model; such plans take no part in plan grants.';

/**
 * Why the plan of a subscription and a plan to be granted at a release do not go together; null when they do.
 * The first reason counts: another group (`plans_not_in_same_group`), a rank that is not higher, a model that
 * is not metered, paid overage or AI pricing of either.
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
    return fieldRejection('planId', 'The granted plan must rank above the plan of the subscription.');
  if (!isMetered(base))
    return fieldRejection(
      'subscriptionId',
      `The plan of the subscription is paid for by ${base.consumptionModel}.`,
    );
  if (!isMetered(target))
    return fieldRejection('planId', `The granted plan is paid for by ${target.consumptionModel}.`);
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
