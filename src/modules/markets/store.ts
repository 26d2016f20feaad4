import type { Context } from '../../context.ts';
import { QuittanceError, specificError, validationError } from '../../domain/errors.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Row } from '../../platform/db/rows.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';
import { newId } from '../../platform/ids.ts';

export type MarketRow = Row<'Market'>;

/** The rejection for a market that does not exist or was deleted; `param` is the input that named it. */
export const marketNotFound = (param: string): QuittanceError =>
  new QuittanceError('market_not_found', { param });

/** The market with this id that was not deleted. Throws `market_not_found`. */
export async function requireMarket(ctx: Context, id: string, param = 'id'): Promise<MarketRow> {
  const market = await ctx.db.market.findFirst({ where: { id, deletedAt: null } });
  if (market === null) throw marketNotFound(param);
  return market;
}

/**
 * Locks the market until the transaction ends and answers it as it is at that time: shared by those who price it, exclusive for those who change or
 * delete it, so that no price refers to a market that is gone. Throws `market_not_found`.
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

/** All of a market a caller decides about; no metadata is the same as empty metadata. */
export type MarketInput = {
  readonly name: string;
  readonly countryCodes: readonly string[];
  readonly metadata?: Record<string, unknown> | null | undefined;
};

const countryTaken = (): QuittanceError =>
  specificError('duplicate', 'market_country', { param: 'countryCodes' });

/** Runs the work; the database's word that a country was taken meanwhile becomes the rejection. */
export async function rejectingTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error) ? countryTaken() : error;
  }
}

/** Throws `validation_error` for countries named twice. */
export function rejectRepeated(codes: readonly string[]): void {
  const problems = codes.flatMap((code, index) =>
    codes.indexOf(code) === index
      ? []
      : [{ field: `countryCodes.${index}`, message: `${code} is named before.` }],
  );
  if (problems.length > 0) throw validationError(problems);
}

/** Gives the market exactly these countries. Throws `duplicate` for one that another market has (CAT-29). */
export async function setCountries(ctx: Context, marketId: string, codes: readonly string[]): Promise<void> {
  await ctx.db.marketCountry.deleteMany({ where: { marketId } });
  const taken = await ctx.db.marketCountry.findFirst({ where: { countryCode: { in: [...codes] } } });
  if (taken !== null) throw countryTaken();
  await ctx.db.marketCountry.createMany({
    data: codes.map((countryCode, position) => ({ id: newId('mkc'), marketId, countryCode, position })),
  });
}

/** Throws `market_in_use` while a price that can be selected or a subscription that is not canceled refers to the market (CAT-30). */
export async function rejectUsed(ctx: Context, marketId: string): Promise<void> {
  const price = await ctx.db.planPriceOverride.findFirst({
    where: { marketId, validTo: null, price: { archivedAt: null } },
  });
  if (price !== null) throw specificError('market_in_use', 'price', { param: 'id' });
  const subscription = await ctx.db.subscription.findFirst({
    where: { marketId, status: { not: 'canceled' } },
  });
  if (subscription !== null) throw specificError('market_in_use', 'subscription', { param: 'id' });
}

export const countriesOf = (ctx: Context, marketId: string) =>
  ctx.db.marketCountry.findMany({ where: { marketId }, orderBy: { position: 'asc' } });
