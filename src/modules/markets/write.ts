import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import { isUniqueViolation } from '../../infra/unique.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type MarketRow, requireLockedMarket } from './service.ts';

/** All of a market a caller decides about; no metadata is the same as empty metadata. */
export type MarketInput = {
  readonly name: string;
  readonly countryCodes: readonly string[];
  readonly metadata?: Record<string, unknown> | null | undefined;
};

const countryTaken = (): QuittanceError =>
  new QuittanceError('duplicate', 'A country belongs to another market.', { param: 'countryCodes' });

/** Runs the work; the database's word that a country was taken meanwhile becomes the refusal. */
async function refusingTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error) ? countryTaken() : error;
  }
}

/** Throws `validation_error` for countries named twice. */
function refuseRepeated(codes: readonly string[]): void {
  const problems = codes.flatMap((code, index) =>
    codes.indexOf(code) === index ? [] : [{ field: `countryCodes.${index}`, message: `${code} is named before.` }],
  );
  if (problems.length > 0) throw validationError(problems);
}

const countriesOf = (context: Context, marketId: string) =>
  context.db.marketCountry.findMany({ where: { marketId }, orderBy: { position: 'asc' } });

/** Gives the market exactly these countries. Throws `duplicate` for one that another market has (CAT-29). */
async function setCountries(context: Context, marketId: string, codes: readonly string[]): Promise<void> {
  await context.db.marketCountry.deleteMany({ where: { marketId } });
  const taken = await context.db.marketCountry.findFirst({ where: { countryCode: { in: [...codes] } } });
  if (taken !== null) throw countryTaken();
  await context.db.marketCountry.createMany({
    data: codes.map((countryCode, position) => ({ id: newId('mkc'), marketId, countryCode, position })),
  });
}

/** Creates a market. Throws `validation_error` for a country named twice, `duplicate` for one that another market has, also meanwhile. */
export async function createMarket(context: Context, input: MarketInput): Promise<MarketRow> {
  refuseRepeated(input.countryCodes);
  return refusingTaken(
    inTransaction(context, async (inner) => {
      const now = inner.clock.now();
      const metadata = (input.metadata ?? {}) as MarketRow['metadata'];
      const market = await inner.db.market.create({
        data: { id: newId('pmg'), seq: await nextSeq(inner), name: input.name, metadata, createdAt: now, updatedAt: now, deletedAt: null },
      });
      await setCountries(inner, market.id, input.countryCodes);
      return market;
    }),
  );
}

/**
 * Replaces name, countries and metadata of a market (CAT-29); `updatedAt` stays when nothing changes. Subscriptions past their first
 * checkout keep the market. Throws `market_not_found`, and what a creation throws.
 */
export async function updateMarket(context: Context, input: MarketInput & { readonly id: string }): Promise<MarketRow> {
  refuseRepeated(input.countryCodes);
  return refusingTaken(
    inTransaction(context, async (inner) => {
      const market = await requireLockedMarket(inner, input.id, 'UPDATE');
      const codes = (await countriesOf(inner, market.id)).map(({ countryCode }) => countryCode);
      const next = { name: input.name, metadata: (input.metadata ?? {}) as MarketRow['metadata'] };
      const isSameCountries = isDeepStrictEqual(codes, input.countryCodes);
      if (isSameCountries && isDeepStrictEqual(next, { name: market.name, metadata: market.metadata })) return market;
      if (!isSameCountries) await setCountries(inner, market.id, input.countryCodes);
      const changes = { ...next, updatedAt: inner.clock.now() };
      await inner.db.market.update({ where: { id: market.id }, data: changes });
      return { ...market, ...changes };
    }),
  );
}

/** Throws `market_in_use` while a price that can be selected or a subscription that is not canceled refers to the market (CAT-30). */
async function refuseUsed(context: Context, marketId: string): Promise<void> {
  const price = await context.db.planPriceOverride.findFirst({ where: { marketId, validTo: null, price: { archivedAt: null } } });
  if (price !== null) throw new QuittanceError('market_in_use', 'A price has an amount for this market.', { param: 'id' });
  const subscription = await context.db.subscription.findFirst({ where: { marketId, status: { not: 'canceled' } } });
  if (subscription !== null) throw new QuittanceError('market_in_use', 'A subscription is priced in this market.', { param: 'id' });
}

/** Deletes a market; its countries are free again. Throws `market_not_found`, `market_in_use` (CAT-30). */
export const deleteMarket = (context: Context, id: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    await requireLockedMarket(inner, id, 'UPDATE');
    await refuseUsed(inner, id);
    const now = inner.clock.now();
    await inner.db.marketCountry.deleteMany({ where: { marketId: id } });
    await inner.db.market.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'market' };
  });
