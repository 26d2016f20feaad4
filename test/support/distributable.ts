import { appendFileSync, readFileSync } from 'node:fs';
import { placementOf, tablesInOrder } from '../../src/platform/db/placement.ts';
import type { Database, Query } from '../../src/platform/db/pool.ts';
import { callsOnColumnsIn, readMutableFunctions } from './stable-calls.ts';

// Checks that each statement could run on one node if the database were distributed by environment (Citus). Test runs collect the product's
// statements and check them at the end.

/** Environment variable with the path of the file that collects statements. */
export const statementsFile = 'TEST_STATEMENTS';

/** Pattern for the stack frames between a statement and its caller, which are skipped. */
const between =
  /\/test\/support\/(recording|distributable|reused)\.ts|\/src\/platform\/(db\/|together|fair-share)|\/src\/request\/(context|transaction)\.ts/;

/** True if the caller in a stack trace is product code rather than test code. */
export function isAskedByProduct(stack: string): boolean {
  const asking = stack
    .split('\n')
    .find((frame) => /\/(src|test|prisma)\//.test(frame) && !between.test(frame));
  return asking?.includes('/src/') === true;
}

const seen = new Set<string>();

/** Number of times that tests sent a statement. */
const sentByTests = new Map<string, number>();

/** Number of times after which a statement is known to be sent only by tests. Reading a stack takes as long as a short statement. */
const enough = 20;

function collect(text: string): void {
  const file = process.env[statementsFile];
  if (file === undefined || seen.has(text)) return;
  const sent = sentByTests.get(text) ?? 0;
  if (sent === enough) return;
  sentByTests.set(text, sent + 1);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error('asked here');
  Error.stackTraceLimit = stackTraceLimit;
  if (!isAskedByProduct(stack)) return;
  seen.add(text);
  appendFileSync(file, `${JSON.stringify(text)}\n`);
}

/** Wraps a database so that it collects the product's statements. */
export function collectingDatabase(database: Database): Database {
  const collecting =
    (run: Query): Query =>
    (text, ...rest) => {
      collect(text);
      return run<never>(text, ...rest);
    };
  return {
    ...database,
    query: collecting((text, ...rest) => database.query(text, ...rest)),
    transaction: (work, limits) =>
      database.transaction(
        ({ prisma, query, last }) => work({ prisma, query: collecting(query), last: collecting(last) }),
        limits,
      ),
  };
}

/** Returns the distinct statements in a test run. */
export const collectedStatements = (file: string): string[] => [
  ...new Set(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as string),
  ),
];

type Step = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Step[];
};

/** Returns a statement's generic plan, which is valid for any parameters. */
async function planOf(database: Database, text: string): Promise<Step> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  return database.transaction(async ({ query }) => {
    await query('SET LOCAL plan_cache_mode = force_generic_plan');
    await query(`PREPARE planned AS ${text}`).catch((cause: unknown) => {
      throw new Error(`The database rejects this statement: ${text}`, { cause });
    });
    try {
      const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`;
      const [row] = await query<Record<'QUERY PLAN', unknown>>(
        `EXPLAIN (FORMAT JSON) EXECUTE planned${values}`,
      );
      const plan = row?.['QUERY PLAN'];
      const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Step }];
      return Plan;
    } finally {
      await query('DEALLOCATE planned').catch(() => undefined);
    }
  });
}

const isOfOneEnvironment = /"environmentId"(::text)? = (\$\d+|'[^']*'::text)/;

/** Returns the distributed tables from which a query plan reads rows of more than one environment. */
function crossEnvironmentReads(step: Step, distributed: ReadonlySet<string>): string[] {
  const { 'Relation Name': table, 'Index Cond': found, 'Recheck Cond': again, Filter: left } = step;
  const conditions = [found, again, left].join(' ');
  const isRead = table !== undefined && distributed.has(table) && step['Node Type'] !== 'ModifyTable';
  const own = isRead && !isOfOneEnvironment.test(conditions) ? [table] : [];
  return [...own, ...(step.Plans ?? []).flatMap((one) => crossEnvironmentReads(one, distributed))];
}

const isWrite = /\b(INSERT INTO|UPDATE|DELETE FROM) "?\w/;

/**
 * Returns the reasons why a distributed database would reject a statement or execute it incorrectly, based on the statement's text.
 * `volatile` contains functions whose result isn't constant.
 */
function textViolations(text: string, volatile: ReadonlySet<string>): string[] {
  const reasons: string[] = [];
  if (/\b(ctid|pg_current_xact_id|txid_current)\b/.test(text)) reasons.push('names what one server numbers');
  const writes = isWrite.test(text);
  if (/\bxmin\b/.test(text.replace(/ RETURNING xmin AS stamp$/, '')) && writes)
    reasons.push('writes by what one server numbers');
  if (/RETURNING[^()]*"::(text|")/.test(text)) reasons.push('casts an enum in what it returns');
  if (/\(\s*INSERT INTO/.test(text)) reasons.push('inserts inside of a statement');
  if (/\b[A-Z]\w+_(pkey|key|fkey)\b/.test(text))
    reasons.push('names a constraint, whose shards have other names');
  const called = [...text.matchAll(/\b([a-z_]\w*)\(/g)].map(([, name = '']) => name);
  for (const name of new Set(called))
    if (writes && volatile.has(name)) reasons.push(`calls ${name} in a write`);
  return reasons;
}

/** True if an INSERT doesn't select from a row of the environment, which would determine the node (`platform/db/bulk.ts`). */
const isUnanchored = (text: string, plan: Step, distributed: ReadonlySet<string>): boolean => {
  const [, table = ''] = /^INSERT INTO "(\w+)"/.exec(text) ?? [];
  if (!distributed.has(table) || !/\bSELECT\b/.test(text)) return false;
  const reads = (step: Step): boolean =>
    (step['Node Type'] !== 'ModifyTable' && distributed.has(step['Relation Name'] ?? '')) ||
    (step.Plans ?? []).some(reads);
  return !(plan.Plans ?? []).some(reads);
};

/**
 * Statements that are allowed outside requests even though they access several environments, or access one environment through the
 * coordinator. Each has a reason.
 */
const allowed: readonly (readonly [part: RegExp, why: string])[] = [
  [
    /^SELECT [klet]\."environmentId"(, [ket]\.(id|source))? FROM ("EnvironmentLease"|"\w+Cursor"|"ExportSchedule"|\( SELECT e\.\*, row_number)/,
    'Looks of the loops of workers at all nodes, which are rare where rows are distributed.',
  ],
  [
    /^SELECT l\."nextDueAt" AS at FROM "EnvironmentLease" l /,
    'Time of the next look, which follows a look without a result.',
  ],
  [
    /^WITH waiting AS MATERIALIZED \( SELECT k\."environmentId"/,
    'The same look, which a distributed database is not sent.',
  ],
  [
    /^UPDATE "\w+" SET "leaseOwner" = NULL, "leaseUntil" = NULL WHERE "environmentId" <> ''/,
    'For an embedded database.',
  ],
  [
    / AS sealed FROM "\w+" t WHERE \(t\."environmentId", t\.id\) > /,
    'Encrypting values again after the secret changes.',
  ],
  [
    /^SELECT (\w\.)?"environmentId", (\w\.)?(id|seq|position).* (LIMIT \$\d+|AS \w+)$/,
    'Housekeeping: what may be removed, which is removed by environment.',
  ],
  [/WHERE h\.hash = ANY\(\$1\)$/, 'Keys on one server; several are read by environment.'],
  [
    /FROM unnest\(\$1::text\[\], \$2::(text|bigint)\[\]\) AS (w|cursor)\(/,
    'On one server; several are read by environment.',
  ],
  [
    /LEFT JOIN "TestClock" c ON c\."environmentId" = e\.id LEFT JOIN "EnvironmentCounter" n ON n\."environmentId" = e\.id WHERE /,
    'On one server; clocks of several are read by environment.',
  ],
  [
    /FROM "EnvironmentCounter" c LEFT JOIN "TestClock" t .* = ANY\(\$1\)$/,
    'Where the environments stand that sockets of a process look at.',
  ],
  [
    /^WITH .*"(SumCursor|LedgerDay|UsageDay|MarginDay|TrialCase)"/,
    'Sums by day, which workers add up in the background.',
  ],
];

/** Returns the reasons why a distributed database would reject a write, or would execute it incorrectly on a node. */
async function writeViolations(
  database: Database,
  text: string,
  mutable: ReadonlySet<string>,
): Promise<string[]> {
  const reasons: string[] = [];
  if (/\bCASE (?!WHEN\b)/.test(text)) reasons.push('compares with what stands behind CASE, in a write');
  if (/^WITH\b.*\(\s*INSERT INTO.*\) (INSERT INTO|UPDATE|DELETE FROM) /.test(text))
    reasons.push('ends in a write, beside one that inserts');
  if (await callsOnColumnsIn(database, text, mutable))
    reasons.push(
      'calls a function on columns whose answer is not always the same, in an update or a deletion',
    );
  return reasons;
}

/** Statement that couldn't run on a single node, with the reasons. */
export type Violation = { readonly text: string; readonly reasons: readonly string[] };

/** Returns the statements that couldn't run on a single node. Ignores statements that use no distributed table. */
export async function violations(database: Database, statements: readonly string[]): Promise<Violation[]> {
  const tables = await tablesInOrder(database.query);
  const distributed = new Set(tables.filter((table) => placementOf(table) === 'distributed'));
  const functions = await database.query<{ name: string }>(
    `SELECT DISTINCT proname AS name FROM pg_proc WHERE provolatile = 'v' AND proname <> 'quittance_raise'`,
  );
  const volatile = new Set(functions.map(({ name }) => name));
  const mutable = await readMutableFunctions(database.query);
  const found: Violation[] = [];
  for (const statement of statements) {
    const text = statement.replace(/\s+/g, ' ').trim();
    if (!/^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text)) continue;
    if (![...text.matchAll(/"(\w+)"/g)].some(([, name = '']) => distributed.has(name))) continue;
    const plan = await planOf(database, text);
    const reasons = [
      ...textViolations(text, volatile),
      ...[...new Set(crossEnvironmentReads(plan, distributed))].map(
        (table) => `reads ${table} of more than one environment`,
      ),
      ...(isUnanchored(text, plan, distributed) ? ['inserts rows without an anchor'] : []),
    ];
    const isAllowed = allowed.some(([part]) => part.test(text));
    const wrong = isWrite.test(text) ? await writeViolations(database, text, mutable) : [];
    const all = [...(isAllowed ? [] : reasons), ...wrong];
    if (all.length > 0) found.push({ text, reasons: all });
  }
  return found;
}
