import { readTextSource } from '../../../platform/text-source.ts';
import type { App } from '../../../request/context.ts';
import { parsePriceList } from './parse-price-list.ts';
import { type SavedPrices, saveModelPrices } from './store.ts';

/**
 * Reads a price list from a URL or a file and replaces the catalog of AI models at the current real time (CON-32a). Returns a summary of
 * the changes. If the list can't be read or is invalid, throws without changing the catalog.
 */
export async function syncModelPrices(
  { database, wall }: Pick<App, 'database' | 'wall'>,
  where: string,
): Promise<SavedPrices> {
  return saveModelPrices(database, parsePriceList(await readTextSource(where)), wall.now());
}
