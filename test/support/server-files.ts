import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

// Test files whose result depends on the database: locks, several connections, query plans, the driver's values, and the engine's writes.
// `rest/every-route.test.ts` executes every operation's statements with real values, `graphql/columns.test.ts` reads every column, and two
// stories write complete subscriptions. In CI, the server also plans every statement of the embedded run (`global-setup.ts`). All other tests
// repeat these statements to verify rules and inputs, which don't depend on the database.
const onServer = [
  'test/{engine,idempotency,platform,process,races,worker}/**/*.test.ts',
  'test/properties/histories.test.ts',
  'test/stories/{consumption,live,year}.test.ts',
  'test/{lists,quotas,stored-types}.test.ts',
  'test/rest/{every-route,idempotent,page-idempotency}.test.ts',
  'test/graphql/{columns,list-plans,list-search,live,pages}.test.ts',
  'test/modules/resources.test.ts',
  'test/modules/customers/customers/{search,delete}.test.ts',
  'test/modules/exports/exports/{exports,stopped-workers}.test.ts',
  'test/modules/messages/{emails/{batches,worker},events/{events,timelines},webhooks/{deliveries,worker}}.test.ts',
  'test/modules/metrics/{cash,ledger,ledger-days,outcome-days,usage-days}/*.test.ts',
  'test/modules/metrics/metrics/{entries,months,mrr,plans,projector,worker}.test.ts',
  'test/modules/usage/{lots,usage}/*.test.ts',
];

// Excluded test files, whose results don't depend on the database: tests of requests before the first statement, logs, external services,
// and values in the process. `--all` also excludes browser journeys.
const embeddedOnly = [
  'test/browser/**',
  'test/graphql/clients/**',
  'test/process/{last-resort,logged-tokens,outside,raw-sockets,secrets}.test.ts',
  'test/properties/fuzz.test.ts',
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

const filesIn = (patterns: string | string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: embeddedOnly }).filter((file) =>
    opensDatabase(path.join(root, file)),
  );

/** Returns the test files that open a database, except files whose results don't depend on it. */
export const databaseFiles = (): string[] => filesIn('test/**/*.test.ts');

/** Returns the test files that also run on a PostgreSQL server. */
export const serverFiles = (): string[] => filesIn(onServer);
