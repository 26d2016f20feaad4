import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';

export type MarketRow = Row<'Market'>;

/** Error for a market that doesn't exist or was deleted. `param` is the input that refers to the market. */
const marketNotFound = (param: string): QuittanceError => new QuittanceError('market_not_found', { param });

/** Returns the market with this ID. Throws `market_not_found` if it doesn't exist or was deleted. */
export async function requireMarket(ctx: Context, id: string, param = 'id'): Promise<MarketRow> {
  const market = await ctx.db.market.findFirst({ where: { id, deletedAt: null } });
  if (market === null) throw marketNotFound(param);
  return market;
}

/**
 * Locks the market until the transaction ends and returns its current state. Setting a price for the market requires a shared lock;
 * changing or deleting the market requires an exclusive lock. This prevents a price from being set for a deleted market. Throws
 * `market_not_found`.
 */
export async function requireLockedMarket(
  ctx: Context,
  id: string,
  mode: 'SHARE' | 'UPDATE',
  param = 'id',
): Promise<MarketRow> {
  await lockRow(ctx.sql, 'Market', id, mode);
  return requireMarket(ctx, id, param);
}

/** Parameters for a market. Missing metadata is stored as an empty object. */
export type MarketInput = {
  readonly name: string;
  readonly countryCodes: readonly string[];
  readonly metadata?: Record<string, unknown> | null | undefined;
};

const countryTaken = (): QuittanceError =>
  specificError('duplicate', 'market_country', { param: 'countryCodes' });

/** Awaits a write and converts a unique violation on a country to `duplicate`. */
export async function rejectingTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error) ? countryTaken() : error;
  }
}

/** Throws `validation_error` if a country is repeated. */
export function rejectRepeated(codes: readonly string[]): void {
  const problems = codes.flatMap((code, index) =>
    codes.indexOf(code) === index
      ? []
      : [
          {
            field: `countryCodes.${index}`,
            message: `${code} is listed more than once. List each country only once.`,
          },
        ],
  );
  if (problems.length > 0) throw validationError(problems);
}

/** Replaces the countries of a market. Throws `duplicate` if another market has one of the countries (CAT-29). */
export async function setCountries(ctx: Context, marketId: string, codes: readonly string[]): Promise<void> {
  await ctx.db.marketCountry.deleteMany({ where: { marketId } });
  const taken = await ctx.db.marketCountry.findFirst({ where: { countryCode: { in: [...codes] } } });
  if (taken !== null) throw countryTaken();
  await ctx.db.marketCountry.createMany({
    data: codes.map((countryCode, position) => ({ id: newId('mkc'), marketId, countryCode, position })),
  });
}

/** Throws `market_in_use` if a selectable price, a plan feature's rate, or a subscription that isn't canceled uses the market (CAT-30). */
export async function rejectUsed(ctx: Context, marketId: string): Promise<void> {
  const price = await ctx.db.planPriceOverride.findFirst({
    where: { marketId, validTo: null, price: { archivedAt: null } },
  });
  if (price !== null) throw specificError('market_in_use', 'price', { param: 'id' });
  const rates = await ctx.db.planFeatureRate.findMany({ where: { marketId, validTo: null } });
  const attached =
    rates.length === 0
      ? null
      : await ctx.db.planFeature.findFirst({
          where: { OR: rates.map(({ planId, featureId }) => ({ planId, featureId })) },
        });
  if (attached !== null) throw specificError('market_in_use', 'rate', { param: 'id' });
  const subscription = await ctx.db.subscription.findFirst({
    where: { marketId, status: { not: 'canceled' } },
  });
  if (subscription !== null) throw specificError('market_in_use', 'subscription', { param: 'id' });
}

export const countriesOf = (ctx: Context, marketId: string) =>
  ctx.db.marketCountry.findMany({ where: { marketId }, orderBy: { position: 'asc' } });
