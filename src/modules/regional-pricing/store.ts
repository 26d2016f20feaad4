import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { accessStatuses } from '../../domain/subscription/state/transitions.ts';
import type { Row } from '../../platform/db/rows.ts';
import { newId } from '../../platform/ids.ts';
import { nextSeq } from '../../transaction.ts';
import { beginningOfTime } from '../plans/store.ts';

// Rows that say from when to when they are in force: amounts of markets and currencies, unit prices, exchange rates. At most
// one per key has no end; changing it ends it and begins the next one. The plan's row is locked, and a partial unique index stands behind.

export type PriceOverrideRow = Row<'PlanPriceOverride'>;
export type FeatureRateRow = Row<'PlanFeatureRate'>;
export type ExchangeRateRow = Row<'PlanExchangeRate'>;

/** What an amount of a price says, besides when. */
export type OverrideDetails = Pick<
  PriceOverrideRow,
  'priceId' | 'marketId' | 'currency' | 'amountMinor' | 'includedBalanceRate' | 'autoSynced'
>;

/** What a unit price says, besides when. */
export type FeatureRateDetails = Pick<
  FeatureRateRow,
  'planId' | 'featureId' | 'currency' | 'unitPriceRate' | 'autoSynced'
>;

/** The columns of a row from now on in force: the first one of its key is valid from the beginning of time. */
async function beginning(ctx: Context, prefix: string, isFirst: boolean) {
  const validFrom = isFirst ? beginningOfTime : ctx.clock.now();
  return { id: newId(prefix), seq: await nextSeq(ctx), validFrom, validTo: null };
}

/** The amounts in force of these prices, in the order they were given. */
export const currentOverrides = (ctx: Context, priceIds: readonly string[]): Promise<PriceOverrideRow[]> =>
  ctx.db.planPriceOverride.findMany({
    where: { priceId: { in: [...priceIds] }, validTo: null },
    orderBy: { seq: 'asc' },
  });

/** The unit prices in force of a plan's features in other currencies. */
export const currentFeatureRates = (ctx: Context, planId: string): Promise<FeatureRateRow[]> =>
  ctx.db.planFeatureRate.findMany({ where: { planId, validTo: null }, orderBy: { seq: 'asc' } });

/** The exchange rates in force of a plan. */
export const currentExchangeRates = (ctx: Context, planId: string): Promise<ExchangeRateRow[]> =>
  ctx.db.planExchangeRate.findMany({ where: { planId, validTo: null }, orderBy: { seq: 'asc' } });

/** Ends amounts of prices now. */
export async function endOverrides(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.db.planPriceOverride.update({
    where: { id: { in: [...ids] } },
    data: { validTo: ctx.clock.now() },
  });
}

/** Puts an amount in force from now on, in the place of the one its price has in the market, or else in the currency. Nothing new changes nothing. */
export async function putOverride(ctx: Context, details: OverrideDetails): Promise<void> {
  const { priceId, marketId, currency } = details;
  const key = marketId === null ? { priceId, marketId, currency } : { priceId, marketId };
  const [last] = await ctx.db.planPriceOverride.findMany({ where: key, orderBy: { seq: 'desc' }, take: 1 });
  if (last?.validTo === null) {
    const { amountMinor, includedBalanceRate, autoSynced } = last;
    const isSame =
      last.currency === currency &&
      amountMinor === details.amountMinor &&
      includedBalanceRate === details.includedBalanceRate;
    if (isSame && autoSynced === details.autoSynced) return;
    await endOverrides(ctx, [last.id]);
  }
  await ctx.db.planPriceOverride.create({
    data: { ...(await beginning(ctx, 'ppo', last === undefined)), ...details },
  });
}

/** Puts a unit price in force from now on, in the place of the one its feature has in the currency. Nothing new changes nothing. */
export async function putFeatureRate(ctx: Context, details: FeatureRateDetails): Promise<void> {
  const { planId, featureId, currency } = details;
  const [last] = await ctx.db.planFeatureRate.findMany({
    where: { planId, featureId, currency },
    orderBy: { seq: 'desc' },
    take: 1,
  });
  if (last?.validTo === null) {
    if (last.unitPriceRate === details.unitPriceRate && last.autoSynced === details.autoSynced) return;
    await ctx.db.planFeatureRate.update({ where: { id: last.id }, data: { validTo: ctx.clock.now() } });
  }
  await ctx.db.planFeatureRate.create({
    data: { ...(await beginning(ctx, 'pfr', last === undefined)), ...details },
  });
}

/** Ends the unit prices of a plan's feature in other currencies now. */
export async function endFeatureRates(
  ctx: Context,
  pair: { readonly planId: string; readonly featureId: string },
): Promise<void> {
  await ctx.db.planFeatureRate.update({
    where: { ...pair, validTo: null },
    data: { validTo: ctx.clock.now() },
  });
}

/** Puts an exchange rate in force from now on, in hundred-millionths. Nothing new changes nothing. */
export async function putExchangeRate(
  ctx: Context,
  planId: string,
  currency: string,
  rateE8: bigint,
): Promise<void> {
  const [last] = await ctx.db.planExchangeRate.findMany({
    where: { planId, currency },
    orderBy: { seq: 'desc' },
    take: 1,
  });
  if (last?.rateE8 === rateE8) return;
  if (last !== undefined) {
    await ctx.db.planExchangeRate.update({ where: { id: last.id }, data: { validTo: ctx.clock.now() } });
  }
  await ctx.db.planExchangeRate.create({
    data: { ...(await beginning(ctx, 'per', last === undefined)), planId, currency, rateE8 },
  });
}

/** The amounts in force of markets. */
export const marketPricesOf = async (
  ctx: Context,
  priceIds: readonly string[],
): Promise<PriceOverrideRow[]> =>
  (await currentOverrides(ctx, priceIds)).filter((row) => row.marketId !== null);

/** Throws `price_in_use` when a market to be removed from a price is overridden by a variant that can be selected (CAT-19). */
export async function rejectOverridden(
  ctx: Context,
  baseId: string,
  removed: readonly PriceOverrideRow[],
): Promise<void> {
  if (removed.length === 0) return;
  const variants = await ctx.db.planPrice.findMany({
    where: { inheritsFromPriceId: baseId, archivedAt: null },
  });
  const overridden = new Set(
    (
      await marketPricesOf(
        ctx,
        variants.map(({ id }) => id),
      )
    ).map(({ marketId }) => marketId),
  );
  if (removed.some(({ marketId }) => overridden.has(marketId))) {
    throw specificError('price_in_use', 'overridden_market', {
      param: 'marketPrices',
    });
  }
}

/** A subscription with access that is billed by the price, or by a variant of it, in one of the currencies; null for none. */
export const findBilled = (
  ctx: Context,
  priceId: string,
  currencies: readonly string[],
): Promise<Row<'Subscription'> | null> =>
  ctx.db.subscription.findFirst({
    where: {
      status: { in: [...accessStatuses] },
      currency: { in: [...currencies] },
      OR: [{ priceId }, { price: { inheritsFromPriceId: priceId } }],
    },
  });
