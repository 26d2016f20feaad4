import type { App } from '../../context.ts';
import { readTextSource } from '../../platform/text-source.ts';
import { parsePriceList } from './parse-price-list.ts';
import { type SavedPrices, saveModelPrices } from './store.ts';

/**
 * Reads a list of prices from an address or a file and makes it the catalog of AI models, as of operational time (CON-32a). Answers what
 * changed. Throws, changing nothing, when the list cannot be read or used.
 */
export async function syncModelPrices(
  { database, wall }: Pick<App, 'database' | 'wall'>,
  where: string,
): Promise<SavedPrices> {
  const listed = parsePriceList(await readTextSource(where));
  return saveModelPrices(database, listed, wall.now());
}
