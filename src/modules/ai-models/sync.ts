import type { App } from '../../context.ts';
import { type SavedPrices, saveModelPrices } from '../../infra/ai-model-rows.ts';
import { readTextSource } from '../../infra/text-source.ts';
import { parsePriceList } from './price-list.ts';

/**
 * Reads a list of prices from an address or a file and makes it the catalogue of AI models, as of operational time (CON-32a). Answers what
 * changed. Throws, changing nothing, when the list cannot be read or used.
 */
export async function syncModelPrices({ database, wall }: Pick<App, 'database' | 'wall'>, where: string): Promise<SavedPrices> {
  const listed = parsePriceList(await readTextSource(where));
  return saveModelPrices(database, listed, wall.now());
}
