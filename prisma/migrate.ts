import { readConfig } from '../src/infra/config.ts';
import { openDatabase } from '../src/infra/db.ts';
import { migrate } from '../src/infra/migrate.ts';

// Applies the committed migrations to the configured database, as `start` does.

const database = await openDatabase(readConfig());
const applied = await migrate(database);
await database.close();
console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
