import { type FieldProblem, validationError } from '../../../domain/errors/errors.ts';
import type { Currency } from '../../../domain/money/money.ts';
import type { Context } from '../../../request/context.ts';
import { marketRows } from '../markets/store.ts';
import { endOverrides, marketPricesOf, putOverride, rejectOverridden } from './store.ts';

// Market amounts: a base price has amounts, and a variant overrides some of them (CAT-14, CAT-16).

/** Amount of a price in a market, in minor units of the amount's currency. */
export type MarketPriceInput = {
  readonly marketGroupId: string;
  readonly currency: Currency;
  readonly price: number;
};

/** Locks the markets until the transaction ends. Throws `validation_error` if a market is repeated, and `market_not_found`. */
export async function requireMarkets(ctx: Context, prices: readonly MarketPriceInput[]): Promise<void> {
  const ids = prices.map(({ marketGroupId }) => marketGroupId);
  const problems = ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [{ field: `marketPrices.${index}.marketGroupId`, message: 'The market is listed more than once.' }],
  );
  if (problems.length > 0) throw validationError(problems);
  // Locks are taken in a fixed order, so that two requests for the same markets can't deadlock.
  for (const id of ids.toSorted())
    await marketRows.lock(ctx, id, `marketPrices.${ids.indexOf(id)}.marketGroupId`, 'SHARE');
}

/** Returns a problem if a variant has no amounts (CAT-16). */
export const noAmountProblems = (prices: readonly MarketPriceInput[]): FieldProblem[] =>
  prices.length === 0
    ? [{ field: 'marketPrices', message: 'A variant needs at least one market price.' }]
    : [];

/** Returns a problem for each market in which a variant has an amount but its base price doesn't (CAT-16). */
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
            message: 'The base price has no amount for this market. Add one to the base price first.',
          },
        ],
  );
}

/**
 * Replaces a price's current market amounts. Returns `true` if an amount changed (CAT-18). The caller must have locked the plan and the
 * markets. Throws `price_in_use` (CAT-19).
 */
export async function setMarketPrices(
  ctx: Context,
  priceId: string,
  prices: readonly MarketPriceInput[],
): Promise<boolean> {
  const before = await marketPricesOf(ctx, [priceId]);
  const requested = new Set(prices.map(({ marketGroupId }) => marketGroupId));
  const removed = before.filter(({ marketId }) => marketId !== null && !requested.has(marketId));
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
