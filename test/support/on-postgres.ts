import { spawn } from 'node:child_process';
import pg from 'pg';

// Runs the suite on a PostgreSQL server: the one TEST_DATABASE_URL names, or the one on this machine.

/** What opens no database, and so was proved with the embedded one; run here as well with `TEST_SAMPLE=1`, or where files are named. */
const withoutDatabase = [
  'test/architecture.test.ts',
  'test/vocabulary.test.ts',
  'test/documents/**',
  'test/domain/**',
  'test/modules/emails/templates.test.ts',
  'test/properties/core.test.ts',
  'test/properties/pools.test.ts',
  'test/rest/openapi-lint.test.ts',
];

const url = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
try {
  await client.connect();
  await client.end();
} catch {
  console.error(
    `No PostgreSQL server answers at ${new URL(url).host}. Start one, or name another in TEST_DATABASE_URL.`,
  );
  process.exit(2);
}
const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const named = process.argv.slice(2);
const isWhole = named.length > 0 || process.env['TEST_SAMPLE'] === '1';
const left = isWhole ? [] : withoutDatabase.map((pattern) => `--exclude=${pattern}`);
spawn(process.execPath, [vitest, 'run', ...named, ...left], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: url },
}).on('exit', (code) => process.exit(code ?? 1));
