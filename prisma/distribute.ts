import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../src/platform/config.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import type { Database } from '../src/platform/db/pool.ts';
import { failStart } from '../src/start-errors.ts';
import { DistributionError, distribute, hasEmptyNode, readNode, requireCitus } from './distribution.ts';
import { drain, isolate, moveEnvironment, rebalance } from './distribution-moves.ts';
import { reportStatus } from './distribution-status.ts';

// Distributes the configured database across the nodes of a Citus cluster, or prints its status: `npm run db:distribute -- --nodes host:port,…`.

const usage = `Usage: npm run db:distribute -- --nodes host:port,… [--coordinator host:port] [--shards <number>]
       npm run db:distribute -- --status
       npm run db:distribute -- --rebalance
       npm run db:distribute -- --isolate <environment id>
       npm run db:distribute -- --move <environment id> --to host:port
       npm run db:distribute -- --drain host:port`;

const options = {
  nodes: { type: 'string' },
  coordinator: { type: 'string' },
  shards: { type: 'string' },
  status: { type: 'boolean' },
  rebalance: { type: 'boolean' },
  isolate: { type: 'string' },
  move: { type: 'string' },
  to: { type: 'string' },
  drain: { type: 'string' },
} as const;

const mostShards = 1_024;

function readOptions() {
  try {
    const { values } = parseArgs({ options });
    const { nodes, status, rebalance: balance, isolate: isolated, move, drain: drained } = values;
    const actions = [nodes, status, balance, isolated, move, drained].filter((value) => value !== undefined);
    const isMoveComplete = (move === undefined) === (values.to === undefined);
    const shards = values.shards === undefined ? undefined : Number(values.shards);
    const areShards =
      shards === undefined ||
      (nodes !== undefined && Number.isInteger(shards) && shards >= 1 && shards <= mostShards);
    if (actions.length === 1 && isMoveComplete && areShards) return { ...values, shards };
  } catch {
    // Error for invalid options. The usage text is printed after the message.
  }
  console.error(usage);
  process.exit(2);
}

type Options = ReturnType<typeof readOptions>;

/** Adds the nodes and distributes the tables. New nodes get environments in the background. */
async function distributeTo(database: Database, config: Config, { nodes, coordinator, shards }: Options) {
  const { hostname, port } = new URL(config.databaseUrl ?? '');
  await migrate(database);
  await distribute(
    database,
    {
      coordinator: readNode(coordinator ?? (port === '' ? hostname : `${hostname}:${port}`)),
      nodes: (nodes ?? '').split(',').map(readNode),
      ...(shards === undefined ? {} : { shards }),
    },
    console.log,
  );
  if (await hasEmptyNode(database)) await rebalance(database, console.log);
  await reportStatus(database, console.log);
}

const asked = readOptions();
try {
  const config = readConfig();
  const database = await openDatabase(config);
  try {
    await requireCitus(database);
    if (asked.status === true) await reportStatus(database, console.log);
    else if (asked.rebalance === true) await rebalance(database, console.log);
    else if (asked.isolate !== undefined)
      console.log(`${asked.isolate} has the shard ${await isolate(database, asked.isolate)}.`);
    else if (asked.move !== undefined)
      await moveEnvironment(database, asked.move, readNode(asked.to ?? ''), console.log);
    else if (asked.drain !== undefined) await drain(database, readNode(asked.drain), console.log);
    else await distributeTo(database, config, asked);
  } finally {
    await database.close();
  }
} catch (error) {
  if (!(error instanceof DistributionError)) failStart(error);
  console.error(error.message);
  process.exitCode = 2;
}
