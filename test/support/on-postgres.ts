import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';

// Runs tests on PostgreSQL: on the server in TEST_DATABASE_URL, or on a server on this machine. By default, runs the files listed below.
// `--all` runs every file that opens a database, except browser journeys. File names as arguments select the files to run.

// Test files whose result depends on the database: handwritten SQL statements, locks, query plans, connections, and the engine's writes.
// `rest/every-route.test.ts` executes every operation's statements, and five stories execute the statements for complete subscriptions. All
// other tests repeat these statements to verify rules and inputs, which don't depend on the database.
const onServer = [
  'test/{engine,idempotency,platform,process,properties,races,worker}/**/*.test.ts',
  'test/stories/{consumption,endings,live,plan-changes,year}.test.ts',
  'test/{lists,quotas,stored-types}.test.ts',
  'test/rest/{every-route,idempotent,page-idempotency}.test.ts',
  'test/graphql/{columns,deferred,filtered-lists,list-plans,list-search,live,nested-lists,nodes,pages,relations,temporary}.test.ts',
  'test/modules/{exports,metrics,usage}/**/*.test.ts',
  'test/modules/resources.test.ts',
  'test/modules/messages/{emails,events,webhooks}/**/*.test.ts',
  'test/modules/customers/customers/{search,delete}.test.ts',
];

// Excluded test files, whose results don't depend on the database: tests of browsers, requests before the first statement, logs, and
// receivers outside the product.
const embeddedOnly = [
  'test/browser/**',
  'test/graphql/clients/**',
  'test/process/{last-resort,logged-tokens,raw-sockets,secrets}.test.ts',
  'test/properties/fuzz.test.ts',
  'test/platform/ids.test.ts',
  'test/modules/exports/schedules/delivery.test.ts',
];

const root = path.resolve(import.meta.dirname, '../..');

/** Modules that provide tests with a database, in the same process or in another one. */
const doors = ['test/support/template.ts', 'test/support/child.ts', 'src/platform/db/open.ts'].map((file) =>
  path.join(root, file),
);

const known = new Map<string, boolean>();

/** True if a test file imports one of these modules, directly or through other test files. */
function opensDatabase(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, doors.includes(file));
  if (doors.includes(file)) return true;
  if (!file.startsWith(path.join(root, 'test'))) return false;
  // Removes type-only imports from the text.
  const text = readFileSync(file, 'utf8').replaceAll(/^import type [^;]*;$/gm, '');
  const imported = text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g);
  const opens = [...imported].some(([, name = '']) => opensDatabase(path.resolve(path.dirname(file), name)));
  known.set(file, opens);
  return opens;
}

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
const files = globSync(options.all ? 'test/**/*.test.ts' : onServer, {
  cwd: root,
  exclude: embeddedOnly,
}).filter((file) => opensDatabase(path.join(root, file)));
spawn(process.execPath, [vitest, 'run', `--maxWorkers=${workers}`, ...(named.length > 0 ? named : files)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: url },
}).on('exit', (code) => process.exit(code ?? 1));
