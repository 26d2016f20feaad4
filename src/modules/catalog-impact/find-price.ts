import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { catalogOf } from '../../domain/pricing/catalog.ts';
import {
  type PriceStep,
  priceAt,
  type ResolvedPrice,
  searchPrice,
  selectPriceRow,
} from '../../domain/pricing/resolve.ts';
import { requirePlan } from '../plans/store.ts';
import { loadPlanRows } from './load-related.ts';

/** Who asks for a price, and of what. */
export type PriceQuestion = {
  readonly planId: string;
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly priceId?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly currency?: string | null | undefined;
};

/** What is paid, and the steps that led there. */
export type PriceAnswer = { readonly found: ResolvedPrice; readonly steps: readonly PriceStep[] };

/** What a customer pays for a plan now, by the search billing uses. Throws `plan_not_found`, and what the search fails with. */
export async function priceFor(ctx: Context, question: PriceQuestion): Promise<PriceAnswer> {
  const { planId, billingInterval = null, priceId = null, country = null, currency = null } = question;
  const plan = await requirePlan(ctx, planId, 'planId');
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
