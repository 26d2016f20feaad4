import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../request/context.ts';
import {
  countriesOf,
  type MarketInput,
  type MarketRow,
  marketRows,
  rejectRepeated,
  setCountries,
} from './store.ts';

/**
 * Replaces the name, countries, and metadata of a market (CAT-29). `updatedAt` stays the same if nothing changes. Once its first checkout
 * is completed, a subscription keeps its market. Throws `market_not_found` and the same errors as `createMarket`.
 */
export async function updateMarket(
  ctx: Context,
  { id, name, countryCodes, metadata }: MarketInput & { readonly id: string },
): Promise<MarketRow> {
  rejectRepeated(countryCodes);
  return marketRows.update(ctx, id, async (tx) => {
    const codes = (await countriesOf(tx, id)).map(({ countryCode }) => countryCode);
    const hasNewCountries = !isDeepStrictEqual(codes, countryCodes);
    if (hasNewCountries) await setCountries(tx, id, countryCodes);
    return { name, metadata: metadata ?? {}, ...(hasNewCountries && { updatedAt: tx.clock.now() }) };
  });
}
