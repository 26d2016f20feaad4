import type { Context } from '../../context.ts';
import { type FieldProblem, validationError } from '../../domain/errors.ts';
import type { Currency } from '../../domain/money.ts';
import { requireLockedMarket } from '../markets/store.ts';
import { endOverrides, marketPricesOf, putOverride, rejectOverridden } from './store.ts';

// Amounts of markets: a base price has some, a variant overrides some of those of its base (CAT-14, CAT-16).

/** A market's own amount: minor units of the currency. */
export type MarketPriceInput = {
  readonly marketGroupId: string;
  readonly currency: Currency;
  readonly price: number;
};

/** Throws `validation_error` for markets named twice, `market_not_found` for one that does not exist. The named ones stay until the transaction ends. */
export async function requireMarkets(ctx: Context, prices: readonly MarketPriceInput[]): Promise<void> {
  const ids = prices.map(({ marketGroupId }) => marketGroupId);
  const problems = ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [{ field: `marketPrices.${index}.marketGroupId`, message: 'The market is named before.' }],
  );
  if (problems.length > 0) throw validationError(problems);
  // In one order, whatever the caller's, so that two calls that name the same markets do not wait for each other.
  for (const id of ids.toSorted())
    await requireLockedMarket(ctx, id, 'SHARE', `marketPrices.${ids.indexOf(id)}.marketGroupId`);
}

/** The violation of a variant without amounts (CAT-16). */
export const noAmountProblems = (prices: readonly MarketPriceInput[]): FieldProblem[] =>
  prices.length === 0
    ? [{ field: 'marketPrices', message: 'A variant needs at least one market price.' }]
    : [];

/** The violations of a variant with amounts for markets its base has none for (CAT-16). */
export async function foreignMarketProblems(
  ctx: Context,
  baseId: string,
  prices: readonly MarketPriceInput[],
): Promise<FieldProblem[]> {
  const priced = new Set((await marketPricesOf(ctx, [baseId])).map(({ marketId }) => marketId));
  return prices.flatMap(({ marketGroupId }, index) =>
    priced.has(marketGroupId)
      ? []
      : [
          {
            field: `marketPrices.${index}.marketGroupId`,
            message: 'The base price has no amount for this market.',
          },
        ],
  );
}

/**
 * Gives a price exactly these amounts of markets, from now on; answers whether that changed anything (CAT-18). The plan and the markets are
 * locked. Throws `price_in_use` (CAT-19).
 */
export async function setMarketPrices(
  ctx: Context,
  priceId: string,
  prices: readonly MarketPriceInput[],
): Promise<boolean> {
  const before = await marketPricesOf(ctx, [priceId]);
  const kept = new Set(prices.map(({ marketGroupId }) => marketGroupId));
  const removed = before.filter(({ marketId }) => marketId !== null && !kept.has(marketId));
  await rejectOverridden(ctx, priceId, removed);
  await endOverrides(
    ctx,
    removed.map(({ id }) => id),
  );
  for (const { marketGroupId, currency, price } of prices) {
    const amountMinor = BigInt(price);
    await putOverride(ctx, {
      priceId,
      marketId: marketGroupId,
      currency,
      amountMinor,
      includedBalanceRate: null,
      autoSynced: false,
    });
  }
  const after = await marketPricesOf(ctx, [priceId]);
  return after.map(({ id }) => id).join() !== before.map(({ id }) => id).join();
}
