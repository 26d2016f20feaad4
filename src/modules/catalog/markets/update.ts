import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import {
  countriesOf,
  type MarketInput,
  type MarketRow,
  rejectingTaken,
  rejectRepeated,
  requireLockedMarket,
  setCountries,
} from './store.ts';

/**
 * Replaces the name, countries, and metadata of a market (CAT-29). `updatedAt` stays the same if nothing changes. Once its first checkout
 * is completed, a subscription keeps its market. Throws `market_not_found` and the same errors as `createMarket`.
 */
export async function updateMarket(
  ctx: Context,
  input: MarketInput & { readonly id: string },
): Promise<MarketRow> {
  rejectRepeated(input.countryCodes);
  return rejectingTaken(
    inTransaction(ctx, async (tx) => {
      const market = await requireLockedMarket(tx, input.id, 'UPDATE');
      const codes = (await countriesOf(tx, market.id)).map(({ countryCode }) => countryCode);
      const next = { name: input.name, metadata: (input.metadata ?? {}) as MarketRow['metadata'] };
      const isSameCountries = isDeepStrictEqual(codes, input.countryCodes);
      if (isSameCountries && isDeepStrictEqual(next, { name: market.name, metadata: market.metadata }))
        return market;
      if (!isSameCountries) await setCountries(tx, market.id, input.countryCodes);
      const changes = { ...next, updatedAt: tx.clock.now() };
      await tx.db.market.update({ where: { id: market.id }, data: changes });
      return { ...market, ...changes };
    }),
  );
}
