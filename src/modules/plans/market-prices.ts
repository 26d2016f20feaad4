import type { Context } from '../../context.ts';
import { type FieldProblem, QuittanceError, validationError } from '../../domain/errors.ts';
import type { Currency } from '../../domain/money.ts';
import { requireLockedMarket } from '../markets/service.ts';
import { currentOverrides, endOverrides, type PriceOverrideRow, putOverride } from './overrides.ts';

// Amounts of markets: a base price has some, a variant overrides some of those of its base (CAT-14, CAT-16).

/** A market's own amount: minor units of the currency. */
export type MarketPriceInput = { readonly marketGroupId: string; readonly currency: Currency; readonly price: number };

/** The amounts in force of markets. */
export const marketPricesOf = async (context: Context, priceIds: readonly string[]): Promise<PriceOverrideRow[]> =>
  (await currentOverrides(context, priceIds)).filter((row) => row.marketId !== null);

/** Throws `validation_error` for markets named twice, `market_not_found` for one that does not exist. The named ones stay until the transaction ends. */
export async function requireMarkets(context: Context, prices: readonly MarketPriceInput[]): Promise<void> {
  const ids = prices.map(({ marketGroupId }) => marketGroupId);
  const problems = ids.flatMap((id, index) =>
    ids.indexOf(id) === index ? [] : [{ field: `marketPrices.${index}.marketGroupId`, message: 'The market is named before.' }],
  );
  if (problems.length > 0) throw validationError(problems);
  // In one order, whatever the caller's, so that two calls that name the same markets do not wait for each other.
  for (const id of ids.toSorted()) await requireLockedMarket(context, id, 'SHARE', `marketPrices.${ids.indexOf(id)}.marketGroupId`);
}

/** The offence of a variant without amounts (CAT-16). */
export const noAmountProblems = (prices: readonly MarketPriceInput[]): FieldProblem[] =>
  prices.length === 0 ? [{ field: 'marketPrices', message: 'A variant needs at least one market price.' }] : [];

/** The offences of a variant with amounts for markets its base has none for (CAT-16). */
export async function foreignMarketProblems(
  context: Context,
  baseId: string,
  prices: readonly MarketPriceInput[],
): Promise<FieldProblem[]> {
  const priced = new Set((await marketPricesOf(context, [baseId])).map(({ marketId }) => marketId));
  return prices.flatMap(({ marketGroupId }, index) =>
    priced.has(marketGroupId)
      ? []
      : [{ field: `marketPrices.${index}.marketGroupId`, message: 'The base price has no amount for this market.' }],
  );
}

/** Throws `price_in_use` when a market to be removed from a price is overridden by a variant that can be selected (CAT-19). */
async function refuseOverridden(context: Context, baseId: string, removed: readonly PriceOverrideRow[]): Promise<void> {
  if (removed.length === 0) return;
  const variants = await context.db.planPrice.findMany({ where: { inheritsFromPriceId: baseId, archivedAt: null } });
  const overridden = new Set(
    (
      await marketPricesOf(
        context,
        variants.map(({ id }) => id),
      )
    ).map(({ marketId }) => marketId),
  );
  if (removed.some(({ marketId }) => overridden.has(marketId))) {
    throw new QuittanceError('price_in_use', 'A variant overrides a market that would lose its amount.', { param: 'marketPrices' });
  }
}

/**
 * Gives a price exactly these amounts of markets, from now on; answers whether that changed anything (CAT-18). The plan and the markets are
 * locked. Throws `price_in_use` (CAT-19).
 */
export async function setMarketPrices(context: Context, priceId: string, prices: readonly MarketPriceInput[]): Promise<boolean> {
  const before = await marketPricesOf(context, [priceId]);
  const kept = new Set(prices.map(({ marketGroupId }) => marketGroupId));
  const removed = before.filter(({ marketId }) => marketId !== null && !kept.has(marketId));
  await refuseOverridden(context, priceId, removed);
  await endOverrides(
    context,
    removed.map(({ id }) => id),
  );
  for (const { marketGroupId, currency, price } of prices) {
    const amountMinor = BigInt(price);
    await putOverride(context, { priceId, marketId: marketGroupId, currency, amountMinor, includedBalanceRate: null, autoSynced: false });
  }
  const after = await marketPricesOf(context, [priceId]);
  return after.map(({ id }) => id).join() !== before.map(({ id }) => id).join();
}
