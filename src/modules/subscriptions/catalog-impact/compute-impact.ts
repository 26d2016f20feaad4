import { type Catalog, catalogOf } from '../../../domain/pricing/catalog.ts';
import type { ProvidedTerms } from '../../../domain/pricing/feature-cell.ts';
import { amountsAt, searchPrice } from '../../../domain/pricing/resolve.ts';
import type { TermName } from '../../../domain/pricing/term-changes.ts';
import type { Context } from '../../../request/context.ts';
import { addonRows } from '../../catalog/add-ons/store.ts';
import type { PlanFeatureReference } from '../../catalog/plan-features/attach.ts';
import { requireAttachment } from '../../catalog/plan-features/store.ts';
import { planRows, requirePrice } from '../../catalog/plans/store.ts';
import { currentOverrides } from '../../catalog/regional-pricing/store.ts';
import { type BillChanges, noBillChanges } from './compute-bill-change.ts';
import { loadPlanRows } from './load-related.ts';
import { maxSamples, maxSubscribers, readSubscribers, type SubscriberGroup } from './store.ts';

/** Time at which a change takes effect. */
export type ImpactTime = 'immediately' | 'at_renewal' | 'at_next_period' | 'new_subscriptions' | 'never';
/** Party that benefits from a change. */
export type ImpactFavor = 'customer' | 'merchant' | 'mixed' | 'neither';

/** Impact of a catalog change: affected subscriptions, effective time, and the party that benefits. */
export type CatalogImpact = {
  readonly subscribers: { readonly value: number; readonly isExact: boolean };
  readonly when: ImpactTime;
  readonly inFavorOf: ImpactFavor;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly ids: readonly string[];
  /** Change of the last usage charges. */
  readonly bills: BillChanges;
  /** Impact of each changed feature term. Empty for changes that don't affect a feature's terms. */
  readonly terms: readonly TermImpact[];
};

/** Impact of a change to one feature term. */
export type TermImpact = { readonly term: TermName; readonly impact: CatalogImpact };

/** New amount for a price, in US cents. */
export type PriceChange = { readonly planId: string; readonly priceId: string; readonly price: number };
export type PriceArchive = { readonly planId: string; readonly priceId: string };
export type FeatureRemoval = { readonly planId: string; readonly featureId: string };
/** New terms for a feature of a plan. */
export type FeatureChange = PlanFeatureReference & Omit<ProvidedTerms, 'pricingMode' | 'margin'>;
export type PlanDeletion = { readonly id: string };
/** New base price for an add-on, in US cents. */
export type AddonChange = { readonly id: string; readonly basePrice: number };

const favorOf = (before: bigint, after: bigint): ImpactFavor =>
  before === after ? 'neither' : after < before ? 'customer' : 'merchant';

export const countOf = (groups: readonly SubscriberGroup[]): number =>
  groups.reduce((sum, group) => sum + group.count, 0);

/**
 * Combines groups into one impact. `read` is the number of subscriptions that were read, including those that `groups` doesn't contain.
 * The count is inexact if `read` exceeds `maxSubscribers`.
 */
export function impactOf(
  groups: readonly SubscriberGroup[],
  when: ImpactTime,
  inFavorOf: ImpactFavor,
  { read = countOf(groups), now }: { readonly read?: number; readonly now?: Date } = {},
): CatalogImpact {
  const times = (name: 'firstAt' | 'lastAt'): number[] =>
    groups.flatMap((group) => (now ?? group[name])?.getTime() ?? []);
  const [first, last] = [Math.min(...times('firstAt')), Math.max(...times('lastAt'))];
  const hasEffect = when !== 'new_subscriptions' && when !== 'never';
  const sample = groups
    .flatMap((group) => group.sample)
    .map(({ id, at }) => ({ id, time: at === null ? Number.POSITIVE_INFINITY : new Date(at).getTime() }))
    .toSorted((a, b) => (a.time === b.time ? (a.id < b.id ? -1 : 1) : a.time - b.time));
  return {
    subscribers: { value: Math.min(countOf(groups), maxSubscribers), isExact: read <= maxSubscribers },
    when,
    inFavorOf,
    firstAt: hasEffect && Number.isFinite(first) ? new Date(first) : null,
    lastAt: hasEffect && Number.isFinite(last) ? new Date(last) : null,
    ids: sample.slice(0, maxSamples).map(({ id }) => id),
    bills: noBillChanges,
    terms: [],
  };
}

/** Impact of a change that has no effect. */
export const noImpact = impactOf([], 'never', 'neither');

/** Returns a predicate that matches groups whose amount is in US dollars or derived from a US dollar amount. */
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

/**
 * Returns the impact of a new amount for a price. The new amount affects the next renewal of subscriptions whose amount is
 * derived from the price, including price variants.
 */
export async function priceImpact(ctx: Context, change: PriceChange): Promise<CatalogImpact> {
  const plan = await planRows.require(ctx, change.planId, 'planId');
  const price = await requirePrice(ctx, plan.id, change.priceId);
  const rows = await loadPlanRows(ctx, plan.id, []);
  const catalog = catalogOf(rows);
  const before = amountsAt(catalog, price, ctx.clock.now()).priceMinor;
  const after = BigInt(change.price);
  const ids = rows.prices
    .filter(({ id, inheritsFromPriceId }) => id === price.id || inheritsFromPriceId === price.id)
    .map(({ id }) => id);
  if (before === after || price.inheritsFromPriceId !== null) return noImpact;
  const groups = await readSubscribers(ctx.sql, { priceIds: ids }, true);
  const follows = await followersOf(ctx, catalog, ids);
  return impactOf(groups.filter(follows), 'at_renewal', favorOf(before, after), { read: countOf(groups) });
}

/** Returns the impact of deleting a plan. Existing subscriptions keep the plan unchanged. */
export async function deletionImpact(ctx: Context, change: PlanDeletion): Promise<CatalogImpact> {
  const plan = await planRows.require(ctx, change.id, 'id');
  return impactOf(await readSubscribers(ctx.sql, { planId: plan.id }, false), 'new_subscriptions', 'neither');
}

/** Returns the impact of archiving a price. Existing subscriptions keep the price and its amounts. */
export async function archiveImpact(ctx: Context, change: PriceArchive): Promise<CatalogImpact> {
  const plan = await planRows.require(ctx, change.planId, 'planId');
  const price = await requirePrice(ctx, plan.id, change.priceId);
  const groups = await readSubscribers(ctx.sql, { priceIds: [price.id] }, false);
  return impactOf(groups, 'new_subscriptions', 'neither');
}

/** Returns the impact of removing a feature from a plan. The removal affects all subscriptions to the plan from their next period. */
export async function removalImpact(ctx: Context, change: FeatureRemoval): Promise<CatalogImpact> {
  const plan = await planRows.require(ctx, change.planId, 'planId');
  await requireAttachment(ctx, plan.id, change.featureId);
  const groups = await readSubscribers(ctx.sql, { planId: plan.id }, true);
  return impactOf(groups, 'at_next_period', 'merchant');
}

/**
 * Returns the impact of a new base price for an add-on. The new base price affects the next renewal of subscriptions
 * that have the add-on.
 */
export async function addonImpact(ctx: Context, change: AddonChange): Promise<CatalogImpact> {
  const addon = await addonRows.require(ctx, change.id);
  const favor = favorOf(addon.basePriceMinor, BigInt(change.basePrice));
  if (favor === 'neither') return noImpact;
  const groups = await readSubscribers(ctx.sql, { addonId: addon.id }, true);
  return impactOf(groups, 'at_renewal', favor);
}
