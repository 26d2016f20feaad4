import { catalogOf } from '../../../domain/pricing/catalog.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import { loadCatalogRows } from '../../../engine/load/catalog.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanRow } from '../../catalog/plans/store.ts';
import { intervalOrder, type ShownPrice, shownPrices } from './rules.ts';
import { findPublicPlans, loadTable, type PricingTableRow, tableNotFound } from './store.ts';

/** Plan as shown on the public page of a pricing table. */
export type ShownPlan = {
  readonly plan: PlanRow;
  /**
   * Text for the plan in the pricing table, or the plan's description if the table has no text for the plan. `null` if
   * neither text is set.
   */
  readonly text: string | null;
  readonly isHighlighted: boolean;
  /** Prices of the plan. Empty for a free plan. */
  readonly prices: readonly ShownPrice[];
};

/** Data of the public page of a pricing table. Contains no private data. */
export type PricingPageState = {
  readonly table: PricingTableRow;
  /** Country that the prices apply to. `null` if it's unknown. */
  readonly country: string | null;
  readonly plans: readonly ShownPlan[];
  /** Intervals of all prices on the page, shortest first. */
  readonly intervals: readonly BillingInterval[];
};

/** Returns the pricing table ID of the caller's page token. Throws for other callers, which the access rules already reject. */
export function pricingSubject(ctx: Context): string {
  if (ctx.caller.kind !== 'page') throw new Error('A pricing table was requested without its page token.');
  return ctx.caller.subjectId;
}

/**
 * Returns the pricing page of the caller's token for a country (CAT-61). The page contains the public plans that can be
 * purchased, in the order of the pricing table, with the prices for a new customer. Throws `not_found` if the table is
 * inactive or was deleted.
 */
export async function loadPage(ctx: Context, country: string | null): Promise<PricingPageState> {
  const table = await loadTable(ctx, pricingSubject(ctx));
  if (table?.isActive !== true) throw tableNotFound('token');
  return showTable(ctx, table, country);
}

/** Returns the page of a pricing table for a country, even if the table is inactive. */
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
