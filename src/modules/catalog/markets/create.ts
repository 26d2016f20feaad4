import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { type MarketInput, type MarketRow, rejectingTaken, rejectRepeated, setCountries } from './store.ts';

/**
 * Creates a market. Throws `validation_error` if a country is repeated. Throws `duplicate` if another market has one of the countries, even
 * if a concurrent request causes the conflict.
 */
export async function createMarket(ctx: Context, input: MarketInput): Promise<MarketRow> {
  rejectRepeated(input.countryCodes);
  return rejectingTaken(
    inTransaction(ctx, async (tx) => {
      const now = tx.clock.now();
      const metadata = (input.metadata ?? {}) as MarketRow['metadata'];
      const market = await tx.db.market.create({
        data: {
          id: newId('pmg'),
          seq: await nextSeq(tx),
          name: input.name,
          metadata,
          createdAt: now,
          updatedAt: now,
          deletedAt: null,
        },
      });
      await setCountries(tx, market.id, input.countryCodes);
      return market;
    }),
  );
}
