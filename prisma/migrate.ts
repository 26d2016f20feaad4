import { readConfig } from '../src/platform/config.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { failStart } from '../src/start-errors.ts';

// Applies pending migrations to the configured database, as `npm start` does.

try {
  const database = await openDatabase(readConfig());
  const applied = await migrate(database);
  await database.close();
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
} catch (error) {
  failStart(error);
}
