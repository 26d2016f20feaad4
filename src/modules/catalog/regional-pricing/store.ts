import { specificError } from '../../../domain/errors/errors.ts';
import { accessStatuses } from '../../../domain/subscription/state/transitions.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { nextSeq } from '../../../request/transaction.ts';
import { beginningOfTime } from '../plans/store.ts';

// Rows with a validity period: market and currency amounts, and exchange rates. At most one
// row per key has no end: the current row. A change ends the current row and adds a new row. The caller
// must have locked the plan's row; a partial unique index also enforces the rule.

export type PriceOverrideRow = Row<'PlanPriceOverride'>;
export type ExchangeRateRow = Row<'PlanExchangeRate'>;

/** Price amount without its validity period. */
export type OverrideDetails = Pick<
  PriceOverrideRow,
  'priceId' | 'marketId' | 'currency' | 'amountMinor' | 'includedBalanceRate' | 'autoSynced'
>;

/** Returns the validity columns for a row that starts at the current time. The first row for a key starts in the year 1. */
async function beginning(ctx: Context, prefix: string, isFirst: boolean) {
  const validFrom = isFirst ? beginningOfTime : ctx.clock.now();
  return { id: newId(prefix), seq: await nextSeq(ctx), validFrom, validTo: null };
}

/** Returns the current amounts for the given prices, oldest first. */
export const currentOverrides = (ctx: Context, priceIds: readonly string[]): Promise<PriceOverrideRow[]> =>
  ctx.db.planPriceOverride.findMany({
    where: { priceId: { in: [...priceIds] }, validTo: null },
    orderBy: { seq: 'asc' },
  });

export const currentExchangeRates = (ctx: Context, planId: string): Promise<ExchangeRateRow[]> =>
  ctx.db.planExchangeRate.findMany({ where: { planId, validTo: null }, orderBy: { seq: 'asc' } });

/** Ends the validity of amounts of prices at the current time. */
export async function endOverrides(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.db.planPriceOverride.update({
    where: { id: { in: [...ids] } },
    data: { validTo: ctx.clock.now() },
  });
}

/**
 * Stores an amount that is valid from the current time and replaces the price's current amount in the market or currency. Does nothing if
 * the amount is unchanged.
 */
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

/** Stores an exchange rate, in hundred-millionths, that is valid from the current time. Does nothing if the rate is unchanged. */
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

export const marketPricesOf = async (
  ctx: Context,
  priceIds: readonly string[],
): Promise<PriceOverrideRow[]> =>
  (await currentOverrides(ctx, priceIds)).filter((row) => row.marketId !== null);

/** Throws `price_in_use` if a selectable variant overrides a market that the change removes from its base price (CAT-19). */
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

/**
 * Returns a subscription that gives access and uses the price or one of its variants in one of the currencies. `null` if there's no such
 * subscription.
 */
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

/** Currency of a plan, with the numbers of selectable prices and features that have an amount in the currency. */
export type PlanCurrency = {
  readonly planId: string;
  readonly currency: string;
  readonly exchangeRate: number;
  readonly pricesConfigured: number;
  readonly featuresConfigured: number;
};
