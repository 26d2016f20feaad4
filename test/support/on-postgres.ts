import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

// Runs the suite on a PostgreSQL server: the one TEST_DATABASE_URL names, or the one on this machine.

// What opens no database was proved with the embedded one. So were the journeys in a browser: pages reach what is stored through operations of the API
// alone, and those are asked on a server as well. So was how bytes, addresses and documents are read before a statement is sent. All of them run here
// with `TEST_SAMPLE=1`, or where they are named.
const provedEmbedded = [
  'test/browser/**',
  'test/graphql/clients/**',
  'test/graphql/floods.test.ts',
  'test/http/door.test.ts',
  'test/process/raw-sockets.test.ts',
  'test/trusted-proxies.test.ts',
];

const root = path.resolve(import.meta.dirname, '../..');

/** The modules through which a test comes to a database: its own, or that of another process. */
const doors = ['test/support/template.ts', 'test/support/child.ts', 'src/platform/db/open.ts'].map((file) =>
  path.join(root, file),
);

const known = new Map<string, boolean>();

/** Whether a file of the tests is or imports one of these, itself or by other files of the tests. */
function opensDatabase(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, doors.includes(file));
  if (doors.includes(file)) return true;
  if (!file.startsWith(path.join(root, 'test'))) return false;
  // A file of which only types are imported is not loaded.
  const text = readFileSync(file, 'utf8').replaceAll(/^import type [^;]*;$/gm, '');
  const imported = text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g);
  const opens = [...imported].some(([, name = '']) => opensDatabase(path.resolve(path.dirname(file), name)));
  known.set(file, opens);
  return opens;
}

const url = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** How many connections a worker may hold at once: tests start several processes with a pool each. */
const connectionsOfWorker = 70;

/** How many connections the server takes. */
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
  // A third of what they do is waiting for the server.
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
const files = globSync('test/**/*.test.ts', { cwd: root, exclude: provedEmbedded }).filter((file) =>
  opensDatabase(path.join(root, file)),
);
spawn(process.execPath, [vitest, 'run', `--maxWorkers=${workers}`, ...(isWhole ? named : files)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: url },
}).on('exit', (code) => process.exit(code ?? 1));
