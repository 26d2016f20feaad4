import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { catalogOf } from '../../domain/pricing/catalog.ts';
import { loadCatalogRows } from '../../engine/load-catalog.ts';
import type { PlanRow } from '../plans/store.ts';
import { intervalOrder, type ShownPrice, shownPrices } from './rules.ts';
import { findPublicPlans, loadTable, type PricingTableRow, tableNotFound } from './store.ts';

/** A plan as everybody may see it. */
export type ShownPlan = {
  readonly plan: PlanRow;
  /** What the table says of it, else its description; null for nothing. */
  readonly text: string | null;
  readonly isHighlighted: boolean;
  /** Empty for a free plan. */
  readonly prices: readonly ShownPrice[];
};

/** Everything the page of a pricing table shows, and nothing that is not for everybody. */
export type PricingPageState = {
  readonly table: PricingTableRow;
  /** The country the prices are for; null where that is not known. */
  readonly country: string | null;
  readonly plans: readonly ShownPlan[];
  /** Those of the plans shown, the shortest first. */
  readonly intervals: readonly BillingInterval[];
};

/** The pricing table that the caller's page token names. Throws for other callers: access lets none of them through. */
export function pricingSubject(ctx: Context): string {
  if (ctx.caller.kind !== 'page') throw new Error('A pricing table was asked for without its token.');
  return ctx.caller.subjectId;
}

/**
 * Reads what the page of the caller's token shows in a country (CAT-61): public plans that are on sale, in the order of the table, at what a new
 * customer pays. Throws `not_found` for a table that is off or was deleted.
 */
export async function loadPage(ctx: Context, country: string | null): Promise<PricingPageState> {
  const table = await loadTable(ctx, pricingSubject(ctx));
  if (table?.isActive !== true) throw tableNotFound('token');
  return showTable(ctx, table, country);
}

/** What the page of a table shows in a country, whether the table is on or off. */
export async function showTable(
  ctx: Context,
  table: PricingTableRow,
  country: string | null,
): Promise<PricingPageState> {
  const candidates = await findPublicPlans(ctx, table);
  const rows = await loadCatalogRows(ctx, {
    planIds: candidates.map(({ id }) => id),
    planCodes: [],
    priceIds: [],
    featureCodes: [],
    countries: country === null ? [] : [country],
    addonIds: [],
  });
  const catalog = catalogOf(rows);
  const texts = new Map(table.plans.map(({ planId, text }) => [planId, text]));
  const shown = { intervals: table.intervals, country, now: ctx.clock.now() };
  const plans = candidates.flatMap((plan): ShownPlan[] => {
    const prices = plan.isFree ? [] : shownPrices(catalog, plan.id, shown);
    if (!plan.isFree && prices.length === 0) return [];
    const text = texts.get(plan.id) ?? plan.description;
    return [{ plan, text, isHighlighted: plan.id === table.highlightedPlanId, prices }];
  });
  const sold = new Set(plans.flatMap(({ prices }) => prices.map(({ interval }) => interval)));
  return { table, country, plans, intervals: intervalOrder.filter((interval) => sold.has(interval)) };
}
