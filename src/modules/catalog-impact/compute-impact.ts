import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { type Catalog, catalogOf } from '../../domain/pricing/catalog.ts';
import type { ProvidedTerms } from '../../domain/pricing/feature-cell.ts';
import { amountsAt, searchPrice } from '../../domain/pricing/resolve.ts';
import type { TermName } from '../../domain/pricing/term-changes.ts';
import { requireAddon } from '../add-ons/store.ts';
import type { PlanFeatureReference } from '../plan-features/attach.ts';
import { findAttachment } from '../plan-features/store.ts';
import { requirePlan, requirePrice } from '../plans/store.ts';
import { currentOverrides } from '../regional-pricing/store.ts';
import { loadPlanRows } from './load-related.ts';
import { mostSamples, mostSubscribers, readSubscribers, type SubscriberGroup } from './store.ts';

/** When a change is felt. */
export type ImpactTime = 'immediately' | 'at_renewal' | 'at_next_period' | 'new_subscriptions' | 'never';
/** Whom a change favors. */
export type ImpactFavor = 'customer' | 'merchant' | 'mixed' | 'neither';

/** Whom a change concerns, when, and in whose favor. */
export type CatalogImpact = {
  readonly subscribers: { readonly value: number; readonly isExact: boolean };
  readonly when: ImpactTime;
  readonly inFavorOf: ImpactFavor;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly ids: readonly string[];
  /** What each changed term of a feature means; empty for other changes. */
  readonly terms: readonly TermImpact[];
};

/** Whom the change of one term of a feature concerns, when, and in whose favor. */
export type TermImpact = { readonly term: TermName; readonly impact: CatalogImpact };

/** A new amount of a price in US cents. */
export type PriceChange = { readonly planId: string; readonly priceId: string; readonly price: number };
/** The price that is archived. */
export type PriceArchive = { readonly planId: string; readonly priceId: string };
/** The feature that is removed from a plan. */
export type FeatureRemoval = { readonly planId: string; readonly featureId: string };
/** The terms of a feature of a plan that change. */
export type FeatureChange = PlanFeatureReference & Omit<ProvidedTerms, 'pricingMode' | 'margin'>;
/** The plan that is deleted. */
export type PlanDeletion = { readonly id: string };
/** A new amount of an add-on in US cents. */
export type AddonChange = { readonly id: string; readonly basePrice: number };

const favorOf = (before: bigint, after: bigint): ImpactFavor =>
  before === after ? 'neither' : after < before ? 'customer' : 'merchant';

export const countOf = (groups: readonly SubscriberGroup[]): number =>
  groups.reduce((sum, group) => sum + group.count, 0);

/** The groups as one answer. The count is inexact where more were read than are counted, also of groups that are left out. */
export function impactOf(
  groups: readonly SubscriberGroup[],
  when: ImpactTime,
  inFavorOf: ImpactFavor,
  { read = countOf(groups), now }: { readonly read?: number; readonly now?: Date } = {},
): CatalogImpact {
  const times = (name: 'firstAt' | 'lastAt'): number[] =>
    groups.flatMap((group) => (now ?? group[name])?.getTime() ?? []);
  const [first, last] = [Math.min(...times('firstAt')), Math.max(...times('lastAt'))];
  const isFelt = when !== 'new_subscriptions' && when !== 'never';
  const sample = groups
    .flatMap((group) => group.sample)
    .map(({ id, at }) => ({ id, time: at === null ? Number.POSITIVE_INFINITY : new Date(at).getTime() }))
    .toSorted((a, b) => (a.time === b.time ? (a.id < b.id ? -1 : 1) : a.time - b.time));
  return {
    subscribers: { value: Math.min(countOf(groups), mostSubscribers), isExact: read <= mostSubscribers },
    when,
    inFavorOf,
    firstAt: isFelt && Number.isFinite(first) ? new Date(first) : null,
    lastAt: isFelt && Number.isFinite(last) ? new Date(last) : null,
    ids: sample.slice(0, mostSamples).map(({ id }) => id),
    terms: [],
  };
}

/** Of a change that changes nothing. */
export const nobody = impactOf([], 'never', 'neither');

/** Whether the amount a group pays is the one in US dollars, or is derived from it. */
async function followersOf(
  ctx: Context,
  catalog: Catalog,
  priceIds: readonly string[],
): Promise<(group: SubscriberGroup) => boolean> {
  const derived = new Set(
    (await currentOverrides(ctx, priceIds)).filter((row) => row.autoSynced).map(({ id }) => id),
  );
  const now = ctx.clock.now();
  return ({ priceId, marketId, currency }) => {
    const price = priceId === null ? undefined : catalog.prices.get(priceId);
    if (price === undefined) return false;
    const last = searchPrice(catalog, price, now, { market: marketId, currency }).steps.at(-1);
    if (last?.outcome !== 'found') return false;
    return last.override === null || derived.has(last.override.id);
  };
}

/** Whom a new amount of a price concerns: at their next renewal, those whose amount follows it, variants included. */
export async function priceImpact(ctx: Context, change: PriceChange): Promise<CatalogImpact> {
  const plan = await requirePlan(ctx, change.planId, 'planId');
  const price = await requirePrice(ctx, plan.id, change.priceId);
  const rows = await loadPlanRows(ctx, plan.id, []);
  const catalog = catalogOf(rows);
  const before = amountsAt(catalog, price, ctx.clock.now()).priceMinor;
  const after = BigInt(change.price);
  const ids = rows.prices
    .filter(({ id, inheritsFromPriceId }) => id === price.id || inheritsFromPriceId === price.id)
    .map(({ id }) => id);
  if (before === after || price.inheritsFromPriceId !== null) return nobody;
  const groups = await readSubscribers(ctx.sql, { priceIds: ids }, true);
  const follows = await followersOf(ctx, catalog, ids);
  return impactOf(groups.filter(follows), 'at_renewal', favorOf(before, after), { read: countOf(groups) });
}

/** Whom deleting a plan concerns: those on it, who keep it as it is. */
export async function deletionImpact(ctx: Context, change: PlanDeletion): Promise<CatalogImpact> {
  const plan = await requirePlan(ctx, change.id, 'id');
  return impactOf(await readSubscribers(ctx.sql, { planId: plan.id }, false), 'new_subscriptions', 'neither');
}

/** Whom archiving a price concerns: those bound to it, who keep it at its amounts. */
export async function archiveImpact(ctx: Context, change: PriceArchive): Promise<CatalogImpact> {
  const plan = await requirePlan(ctx, change.planId, 'planId');
  const price = await requirePrice(ctx, plan.id, change.priceId);
  const groups = await readSubscribers(ctx.sql, { priceIds: [price.id] }, false);
  return impactOf(groups, 'new_subscriptions', 'neither');
}

/** Whom the removal of a feature concerns: with their next period, everyone on the plan. */
export async function removalImpact(ctx: Context, change: FeatureRemoval): Promise<CatalogImpact> {
  const plan = await requirePlan(ctx, change.planId, 'planId');
  if ((await findAttachment(ctx, plan.id, change.featureId)) === null)
    throw specificError('not_found', 'plan_feature', { param: 'featureId' });
  const groups = await readSubscribers(ctx.sql, { planId: plan.id }, true);
  return impactOf(groups, 'at_next_period', 'merchant');
}

/** Whom a new amount of an add-on concerns: at their next renewal, those that have it. */
export async function addonImpact(ctx: Context, change: AddonChange): Promise<CatalogImpact> {
  const addon = await requireAddon(ctx, change.id);
  const favor = favorOf(addon.basePriceMinor, BigInt(change.basePrice));
  if (favor === 'neither') return nobody;
  const groups = await readSubscribers(ctx.sql, { addonId: addon.id }, true);
  return impactOf(groups, 'at_renewal', favor);
}
