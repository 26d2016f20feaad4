import { syncModelPrices } from '../src/modules/catalog/ai-models/sync.ts';
import { systemClock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { failStart } from '../src/start-errors.ts';

// Updates the AI model prices from a file or URL: `npm run ai:prices -- <file or URL>`.

const [where] = process.argv.slice(2);
if (where === undefined) {
  console.error('Name the list of prices: npm run ai:prices -- <file or URL>');
  process.exit(2);
}
const database = await Promise.resolve()
  .then(() => openDatabase(readConfig()))
  .catch(failStart);
try {
  await migrate(database);
  const { listed, repriced, gone, invalid, unknownPrices } = await syncModelPrices(
    { database, wall: systemClock },
    where,
  );
  console.log(`${listed} models listed, ${repriced} new or with another price, ${gone} no longer listed.`);
  console.log(`${invalid} invalid entries, ${unknownPrices} unknown types of prices.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await database.close();
}
