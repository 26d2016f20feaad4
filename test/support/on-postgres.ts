import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { databaseFiles, serverFiles } from './server-files.ts';

// Runs tests on PostgreSQL: on the server in TEST_DATABASE_URL, or on a server on this machine. By default, runs the files
// in `server-files.ts`.
// `--all` runs every file that opens a database, except browser journeys. File names as arguments select the files to run.

const url = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Maximum number of connections per worker. Tests start several processes, each with its own pool. */
const connectionsOfWorker = 70;

async function mostConnections(): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  await client.connect();
  const { rows } = await client.query<{ most: number }>(
    `SELECT current_setting('max_connections')::int AS most`,
  );
  await client.end();
  return rows[0]?.most ?? 0;
}

const { values: options, positionals: named } = parseArgs({
  options: { all: { type: 'boolean', default: false }, workers: { type: 'string', default: '4' } },
  allowPositionals: true,
});

let workers: number;
try {
  // Tests spend a third of their time waiting for the server, so there are more workers than CPUs.
  const most = Math.floor((await mostConnections()) / connectionsOfWorker);
  workers = Math.max(1, Math.min(Number(options.workers), most));
} catch {
  console.error(
    `No PostgreSQL server answers at ${new URL(url).host}. Start one, or name another in TEST_DATABASE_URL.`,
  );
  process.exit(2);
}
const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const files = options.all ? databaseFiles() : serverFiles();
spawn(process.execPath, [vitest, 'run', `--maxWorkers=${workers}`, ...(named.length > 0 ? named : files)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: url },
}).on('exit', (code) => process.exit(code ?? 1));
