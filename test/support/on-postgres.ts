import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

// Runs the test suite on PostgreSQL: on the server in TEST_DATABASE_URL, or on the server of this machine.

// Files that run only with the embedded database: their behavior doesn't depend on the database. Browser
// pages use API operations that are also tested on a server, and the others test requests before the first
// statement. `TEST_SAMPLE=1` or an explicit file name runs them on a server too.
const embeddedOnly = [
  'test/browser/**',
  'test/graphql/clients/**',
  'test/graphql/floods.test.ts',
  'test/http/door.test.ts',
  'test/process/raw-sockets.test.ts',
  'test/trusted-proxies.test.ts',
];

const root = path.resolve(import.meta.dirname, '../..');

/** Modules that give tests a database, directly or in another process. */
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
  // Skips type-only imports.
  const text = readFileSync(file, 'utf8').replaceAll(/^import type [^;]*;$/gm, '');
  const imported = text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g);
  const opens = [...imported].some(([, name = '']) => opensDatabase(path.resolve(path.dirname(file), name)));
  known.set(file, opens);
  return opens;
}

const url = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Maximum number of connections per worker. Tests start several processes with their own pools. */
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

let workers: number;
try {
  // Tests spend a third of their time waiting for the server, so several workers share a CPU.
  workers = Math.max(1, Math.min(4, Math.floor((await mostConnections()) / connectionsOfWorker)));
} catch {
  console.error(
    `No PostgreSQL server answers at ${new URL(url).host}. Start one, or name another in TEST_DATABASE_URL.`,
  );
  process.exit(2);
}
const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const named = process.argv.slice(2);
const isWhole = named.length > 0 || process.env['TEST_SAMPLE'] === '1';
const files = globSync('test/**/*.test.ts', { cwd: root, exclude: embeddedOnly }).filter((file) =>
  opensDatabase(path.join(root, file)),
);
spawn(process.execPath, [vitest, 'run', `--maxWorkers=${workers}`, ...(isWhole ? named : files)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: url },
}).on('exit', (code) => process.exit(code ?? 1));
