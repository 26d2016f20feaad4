import { parseArgs } from 'node:util';
import { readConfig } from '../src/platform/config.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { failStart } from '../src/start-errors.ts';
import {
  DistributionError,
  distribute,
  isolate,
  readNode,
  reportStatus,
  requireCitus,
} from './distribution.ts';

// Distributes the configured database across the nodes of a Citus cluster, or prints its status: `npm run db:distribute -- --nodes host:port,…`.

const usage = `Usage: npm run db:distribute -- --nodes host:port,… [--coordinator host:port]
       npm run db:distribute -- --status
       npm run db:distribute -- --isolate <environment id>`;

const options = {
  nodes: { type: 'string' },
  coordinator: { type: 'string' },
  status: { type: 'boolean' },
  isolate: { type: 'string' },
} as const;

function readOptions() {
  try {
    const { values } = parseArgs({ options });
    if ([values.nodes, values.status, values.isolate].filter((value) => value !== undefined).length === 1)
      return values;
  } catch {
    // Error for invalid options. The usage text is printed after the message.
  }
  console.error(usage);
  process.exit(2);
}

const asked = readOptions();
try {
  const config = readConfig();
  const database = await openDatabase(config);
  try {
    await requireCitus(database);
    if (asked.status === true) await reportStatus(database, console.log);
    else if (asked.isolate !== undefined)
      console.log(`${asked.isolate} has the shard ${await isolate(database, asked.isolate)}.`);
    else {
      const nodes = (asked.nodes ?? '').split(',').map(readNode);
      const { hostname, port } = new URL(config.databaseUrl ?? '');
      const coordinator = readNode(asked.coordinator ?? (port === '' ? hostname : `${hostname}:${port}`));
      await migrate(database);
      await distribute(database, { coordinator, nodes }, console.log);
      await reportStatus(database, console.log);
    }
  } finally {
    await database.close();
  }
} catch (error) {
  if (!(error instanceof DistributionError)) failStart(error);
  console.error(error.message);
  process.exitCode = 2;
}
