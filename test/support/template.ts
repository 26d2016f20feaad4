import { setTimeout as sleep } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { distribute } from '../../prisma/distribution.ts';
import { prepareDatabase } from '../../prisma/prepared-database.ts';
import { defaultTimeouts, sessionSettings } from '../../src/platform/database-timeouts.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { openDatabase } from '../../src/platform/db/open.ts';
import { createPglite, wrapPglite } from '../../src/platform/db/pglite.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import {
  cacheFolder,
  exists,
  preparedFile,
  preparedVersion,
  readPrepared,
} from '../../src/platform/db/prepared.ts';
import { doubleFiles } from './memory-files.ts';

// Creates migrated databases from a dump (PGlite) or from a template database (server).

/** Returns the URL of the database server. `undefined` for PGlite. */
export const serverUrl = (): string | undefined => process.env['TEST_DATABASE_URL'];

/**
 * Returns the URL of a pooler in front of the database server, such as PgBouncer in transaction mode. The product then uses the server only
 * through the pooler. `undefined` if no pooler is used.
 */
const poolerUrl = (): string | undefined => process.env['TEST_DATABASE_POOLER'];

const templateName = async (): Promise<string> => `quittance_template_${await preparedVersion()}`;

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the URLs of the worker nodes in a distributed database (Citus). The server in TEST_DATABASE_URL is the coordinator. */
const nodeUrls = (): string[] =>
  (process.env['TEST_DATABASE_NODES'] ?? '').split(',').filter((url) => url !== '');

/** Runs `work` on every server, on the coordinator last. */
async function onServers(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  for (const each of [...nodeUrls(), url]) await onServer(each, work);
}

/** True if test databases are distributed over several servers. */
export const isDistributed = (): boolean => nodeUrls().length > 0;

const addressOf = (url: string): { host: string; port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === '' ? '5432' : port) };
};

/**
 * Distributes a migrated database over the nodes. Uses few shards, because copying the database copies one
 * file per shard and table.
 */
async function distributeTemplate(database: Database, url: string): Promise<void> {
  const settings = { coordinator: addressOf(url), nodes: nodeUrls().map(addressOf), shards: 4 };
  await distribute(database, settings, () => undefined);
}

/**
 * Ends all sessions on a database and runs a statement that needs exclusive access to it. Retries up to 20 times while background processes
 * still use the database.
 */
async function alone(client: pg.Client, database: string, text: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
        database,
      ]);
      await client.query(text);
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(250);
    }
}

const dropDatabase = (client: pg.Client, name: string): Promise<void> =>
  alone(client, name, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

/** Renames a completed database and prevents further connections. */
async function nameTemplate(client: pg.Client, making: string, name: string): Promise<void> {
  await client.query(`ALTER DATABASE ${making} ALLOW_CONNECTIONS false`);
  await alone(client, making, `ALTER DATABASE ${making} RENAME TO ${name}`);
}

async function prepareDump(): Promise<void> {
  if (!(await exists(await preparedFile(cacheFolder)))) await prepareDatabase();
}

async function prepareTemplate(url: string): Promise<void> {
  const name = await templateName();
  const exists = await onServer(
    url,
    async (client) =>
      (await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).rowCount === 1,
  );
  if (exists) return;
  const making = `${name}_${process.pid}`;
  await onServers(url, (client) => client.query(`CREATE DATABASE ${making}`));
  if (isDistributed())
    for (const each of [...nodeUrls(), url])
      await onServer(withDatabase(each, making), (client) => client.query('CREATE EXTENSION citus'));
  const database = await openDatabase({
    databaseUrl: withDatabase(url, making),
    databasePoolSize: 2,
    dataDir: '',
  });
  await migrate(database);
  if (isDistributed()) await distributeTemplate(database, url);
  await database.close();
  await onServers(url, (client) => nameTemplate(client, making, name));
}

/**
 * Environment variable that contains the name prefix for the databases of the test run. Vitest workers
 * inherit it.
 */
const runName = 'TEST_DATABASES';

/** Drops all databases from a test run, including shared databases that workers don't drop when they end. */
async function dropDatabases(url: string, prefix: string): Promise<void> {
  await onServers(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows) await dropDatabase(client, datname);
  });
}

/** Prepares the templates for the test files' databases. Runs once per test run. The returned function cleans up after the run. */
export async function prepareTemplates(): Promise<() => Promise<void>> {
  const url = serverUrl();
  await (url === undefined ? prepareDump() : prepareTemplate(url));
  const prefix = `quittance_test_${process.pid}_`;
  process.env[runName] = prefix;
  return async () => {
    if (url !== undefined) await dropDatabases(url, prefix);
  };
}

/** Creates a migrated, empty embedded database for the product to open. */
export async function freshEmbedded(): Promise<PGlite> {
  const dump = await readPrepared(cacheFolder);
  if (dump === null) throw new Error('The embedded database was not prepared.');
  const client = await createPglite({ dataDir: 'memory://', loadDataDir: dump });
  doubleFiles(client);
  return client;
}

let databases = 0;

/** Creates a migrated, empty database. `url` is set on a server, where other processes can connect too. */
export async function freshDatabase(): Promise<{
  database: Database;
  url: string | undefined;
  drop: () => Promise<void>;
}> {
  const url = serverUrl();
  if (url === undefined) {
    return { database: wrapPglite(await freshEmbedded()), url, drop: async () => undefined };
  }
  const name = `${process.env[runName] ?? 'quittance_test_'}${process.pid}_${++databases}`;
  const template = await templateName();
  await onServers(url, async (client) => {
    await dropDatabase(client, name);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    // Tests don't need to wait for writes to reach the disk. test/process/database-crash.test.ts uses its own
    // server.
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  });
  const own = withDatabase(url, name);
  const pooler = poolerUrl();
  if (pooler !== undefined)
    await onServer(url, async (client) => {
      for (const [setting, value] of Object.entries(sessionSettings(defaultTimeouts)))
        await client.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    });
  const urls =
    pooler === undefined
      ? { databaseUrl: own }
      : { databaseUrl: withDatabase(pooler, name), databaseDirectUrl: own };
  const database = await openDatabase({ ...urls, databasePoolSize: 10, dataDir: '' });
  const drop = () => onServers(url, (client) => dropDatabase(client, name));
  return { database, url: own, drop };
}

/** Opens a new database on the server with a single connection, for tests that depend on connection state. */
export async function singleConnection(): Promise<{ database: Database; close: () => Promise<void> }> {
  const fresh = await freshDatabase();
  const database = await openDatabase({ databaseUrl: fresh.url, databasePoolSize: 1, dataDir: '' });
  const close = async (): Promise<void> => {
    await database.close();
    await fresh.database.close();
    await fresh.drop();
  };
  return { database, close };
}
