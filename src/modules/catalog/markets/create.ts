import type { Context } from '../../../request/context.ts';
import { type MarketInput, type MarketRow, marketRows, rejectRepeated, setCountries } from './store.ts';

/**
 * Creates a market. Throws `validation_error` if a country is repeated. Throws `duplicate` if another market has one of the countries, even
 * if a concurrent request causes the conflict.
 */
export async function createMarket(
  ctx: Context,
  { name, countryCodes, metadata }: MarketInput,
): Promise<MarketRow> {
  rejectRepeated(countryCodes);
  return marketRows.create(ctx, { name, metadata }, (tx, { id }) => setCountries(tx, id, countryCodes));
}
