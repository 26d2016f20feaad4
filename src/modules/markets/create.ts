import type { Context } from '../../context.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type MarketInput, type MarketRow, rejectingTaken, rejectRepeated, setCountries } from './store.ts';

/** Creates a market. Throws `validation_error` for a country named twice, `duplicate` for one that another market has, also meanwhile. */
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
