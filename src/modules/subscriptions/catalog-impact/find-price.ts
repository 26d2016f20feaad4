import { QuittanceError } from '../../../domain/errors/errors.ts';
import { catalogOf } from '../../../domain/pricing/catalog.ts';
import {
  type PriceStep,
  priceAt,
  type ResolvedPrice,
  searchPrice,
  selectPriceRow,
} from '../../../domain/pricing/resolve.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { planRows } from '../../catalog/plans/store.ts';
import { loadPlanRows } from './load-related.ts';

/** Price lookup parameters: the plan, and the customer properties that affect the price. */
export type PriceQuestion = {
  readonly planId: string;
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly priceId?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly currency?: string | null | undefined;
};

/** Price for the customer, and the steps of the lookup. */
export type PriceAnswer = { readonly found: ResolvedPrice; readonly steps: readonly PriceStep[] };

/**
 * Returns the price that a new customer currently pays for a plan. Uses the same lookup as billing. Throws `plan_not_found` and the errors
 * of the lookup.
 */
export async function priceFor(ctx: Context, question: PriceQuestion): Promise<PriceAnswer> {
  const { planId, billingInterval = null, priceId = null, country = null, currency = null } = question;
  const plan = await planRows.require(ctx, planId, 'planId');
  const catalog = catalogOf(await loadPlanRows(ctx, plan.id, country === null ? [] : [country]));
  const price = selectPriceRow(catalog, plan.id, { priceId, billingInterval });
  if ('failure' in price) throw new QuittanceError(price.failure, { param: 'planId' });
  const market = country === null ? null : (catalog.marketOfCountry.get(country) ?? null);
  const scope = currency === null ? { country } : { market, currency };
  const now = ctx.clock.now();
  const found = priceAt(catalog, price, now, scope);
  if ('failure' in found) throw new QuittanceError(found.failure, { param: 'currency' });
  return { found, steps: searchPrice(catalog, price, now, scope).steps };
}
