import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogModels, globalModels } from '../../src/domain/rows/tenancy.ts';
import { housekeep } from '../../src/worker/housekeeping.ts';
import { eventually } from '../support/eventually.ts';
import { firstShop } from '../support/factories.ts';
import { rootFields } from '../support/fields.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { needsOneServer, plansAreRead } from '../support/nodes.ts';
import { recordingDatabase } from '../support/recording.ts';
import { serverUrl } from '../support/template.ts';

// Query plans. Even if tables are large, no statement may scan a whole table, or all of an environment's rows in a growing table. The test
// plans every statement that the product sent while it created, advanced, displayed, and cleaned up an example organization.

const texts = new Set<string>();
let t: TestApp;
let mail: MailServer;

/** Changes the planner's statistics to one million rows per table in a small number of environments. */
const asOfMillions = `
  UPDATE pg_class SET reltuples = 1000000, relpages = greatest(relpages, 1) WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace;
  UPDATE pg_statistic s SET stadistinct = 4 FROM pg_attribute a
    WHERE a.attrelid = s.starelid AND a.attnum = s.staattnum AND a.attname = 'environmentId'`;

// Serving an example organization takes a long time, and the embedded database has PostgreSQL's planner.
const isOnServer = serverUrl() !== undefined;

beforeAll(async () => {
  if (!isOnServer) return;
  mail = await startMailServer();
  t = await startApp({
    env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all' },
    database: (opened) => recordingDatabase(opened, (text) => texts.add(text)),
  });
  const shop = await firstShop(t);
  const { sandboxExampleLoad: run } = await t.graphql<{ sandboxExampleLoad: { id: string } }>(
    'mutation { sandboxExampleLoad(input: { size: small }) { id } }',
    {},
    { key: shop.key },
  );
  const ask = 'query ($id: ID!) { exampleRun(id: $id) { status } }';
  await eventually(
    () => t.graphql<{ exampleRun: { status: string } }>(ask, run, { key: shop.key }),
    ({ exampleRun }) => exampleRun.status === 'completed',
  );
  for (const field of rootFields.filter(({ kind }) => kind === 'query')) {
    const { text, variables } = (await field.make(shop)).operation;
    // Ignores errors, because fields that reject API keys fail before they read any rows.
    await t.graphql(text, variables, { key: shop.key }).catch(() => null);
  }
  // The example organization has no purchases and often no refunds. The planner would accept any index for an
  // empty table.
  for (const name of ['pricingTablePurchase', 'transactionRefund']) {
    const field = rootFields.find((each) => each.name === name);
    if (field === undefined) throw new Error(`There is no field ${name}.`);
    const { text, variables } = (await field.make(shop)).operation;
    const headers = { 'idempotency-key': randomUUID() };
    await t.graphql(text, variables, name === 'transactionRefund' ? { key: shop.key } : { headers });
  }
  await housekeep(t.app);
  // Waits until emails exist and all of them have been sent.
  await mail.received(10);
  await eventually(
    () =>
      t.app.database.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM "EmailNotification" WHERE status IN ('pending', 'sending')`,
      ),
    ([row]) => row?.open === 0,
  );
  await t.app.database.script('ANALYZE');
  await t.app.database.script(asOfMillions);
}, 300_000);
afterAll(async () => {
  if (!isOnServer) return;
  await t.app.database.script('ANALYZE');
  await t.close();
  await mail.close();
});

const testPlans = test.skipIf(!isOnServer || needsOneServer(plansAreRead));

type Step = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly Step[];
};

/** Returns the generic plan for a statement. Sequential scans are made expensive for the planner. */
async function planOf(text: string): Promise<Step> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  return t.app.database.transaction(async ({ query }) => {
    await query('SET LOCAL plan_cache_mode = force_generic_plan');
    await query('SET LOCAL enable_seqscan = off');
    await query(`PREPARE planned AS ${text}`);
    const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`;
    const [row] = await query<Record<'QUERY PLAN', unknown>>(
      `EXPLAIN (FORMAT JSON) EXECUTE planned${values}`,
    );
    await query('DEALLOCATE planned');
    const plan = row?.['QUERY PLAN'];
    const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Step }];
    return Plan;
  });
}

/** Plan nodes that read all of their input before they return the first row. */
const gathering =
  /^(Sort|Aggregate|Hash|Materialize|WindowAgg|Bitmap Heap Scan|SetOp|Unique|Memoize|ModifyTable|CTE Scan)$/;

/** Tables with a limited number of rows per environment, and partial indexes with few rows. */
type Small = { readonly tables: ReadonlySet<string>; readonly indexes: ReadonlySet<string> };

/** Returns a plan's full scans of a table or of an environment's rows, except for scans below a limit. */
function wholeReads(step: Step, small: Small, table = '', isBounded = false): string[] {
  const {
    'Node Type': kind,
    'Relation Name': read = table,
    'Index Name': index = '',
    'Index Cond': found = '',
  } = step;
  const narrowed = found
    .replace(/\("environmentId" = [^()]*(\([^()]*\)[^()]*)*\)/g, '')
    .replace(/[() ]|AND/g, '');
  const isWhole =
    kind === 'Seq Scan' ||
    (/^(Index|Bitmap Index)/.test(kind) && narrowed === '' && !small.indexes.has(index));
  const own = isWhole && !isBounded && !small.tables.has(read) ? [`${read} by ${index || kind}`] : [];
  const inner = kind === 'Limit' ? true : gathering.test(kind) ? false : isBounded;
  return [...own, ...(step.Plans ?? []).flatMap((one) => wholeReads(one, small, read, inner))];
}

/**
 * Tables that don't grow with the number of customers or over time: one row per environment, settings, the catalog, and tables for the
 * whole installation.
 */
const tables: ReadonlySet<string> = new Set<string>([
  ...globalModels,
  ...catalogModels,
  '_prisma_migrations',
  'ApiKey',
  'CardPromotion',
  'CardPromotionBin',
  'EmailCursor',
  'EnvironmentCounter',
  'Export',
  'ExportSchedule',
  'Offer',
  'PaymentConnection',
  'PaymentRoute',
  'PayoutAccount',
  'SumCursor',
  'TaxRegistration',
  'TestClock',
  'TestClockRun',
  'Webhook',
  'WebhookCursor',
]);

/** Statements that may read all rows in an environment, with the reasons. Each entry matches part of the statement's text. */
const knownWholeReads: readonly (readonly [part: string, why: string])[] = [
  ['FROM "OwnModelPrice" t', 'An environment sets own prices for a few AI models, and changes them rarely.'],
  [
    'min(CASE WHEN "isBatch"',
    'Few requests wait for an answer, which statistics of a table with requests tell.',
  ],
  ['EXISTS (SELECT FROM "AddonActivation" a WHERE a."environmentId" = $1)', 'Ends with the first row.'],
  ['INSERT INTO "MrrCohort"', 'Closes a month: all who paid in it.'],
  ['WITH scheduled AS', 'Subscriptions that change on their own, which the planner takes for most.'],
  [`SELECT 'transfers' AS source`, 'Verifies the whole ledger.'],
  ['WITH entries AS (', 'Verifies all consumption.'],
  ['SELECT id, mrr FROM "Subscription"', 'Verifies the stored recurring revenue of all subscriptions.'],
  ['transfers AS (SELECT t.*', 'Verifies the sums of ledger days.'],
  ['SELECT subject, expected, actual FROM (SELECT concat_ws(', 'Verifies sums of months.'],
  ['SELECT subject, trunc(expected / ', 'Verifies sums of prices and costs of months.'],
  [`expected AS (SELECT concat_ws(' ', 'TrialDay started'`, 'Verifies the sums of trials and of recovery.'],
  [`expected AS (SELECT concat_ws(' ', 'UsageDay'`, 'Verifies the sums of usage.'],
  ['expected AS (SELECT subject, trunc(SUM(amount)', 'Verifies the sums of prices and costs.'],
  [
    ') SELECT "scope"::text, "featureId"::text',
    'A row for each month, feature and group, found by either index.',
  ],
  [
    'FROM "SettledDay" WHERE "environmentId" = $1',
    'A row for each month and currency, found by either index.',
  ],
  ['SELECT DISTINCT ON (e."subscriptionId")', 'Verifies the sums of recurring revenue.'],
  [
    `FROM "MrrRollup" WHERE "environmentId" = $1 AND kind = 'level'`,
    'Verifies the sums of recurring revenue.',
  ],
];

testPlans(
  'no statement reads a whole table, or all an environment has of one that grows, but for those known',
  async () => {
    const partial = await t.app.database.query<{ name: string }>(
      'SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indpred IS NOT NULL',
    );
    const small = { tables, indexes: new Set(partial.map(({ name }) => name)) };
    const all = [...texts].map((text) => text.replace(/\s+/g, ' ').trim());
    const planned = all.filter((text) => /^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text));
    expect(planned.length).toBeGreaterThan(300);
    const whole: { text: string; reads: string }[] = [];
    for (const text of planned) {
      if (text.includes('pg_')) continue;
      const reads = wholeReads(await planOf(text), small);
      if (reads.length > 0) whole.push({ text, reads: [...new Set(reads)].join(', ') });
    }
    const isKnown = (text: string): boolean => knownWholeReads.some(([part]) => text.includes(part));
    expect(whole.filter(({ text }) => !isKnown(text))).toEqual([]);
    // Whether a plan contains a full scan depends on statistics, so this test checks only that each entry still matches a statement.
    expect(knownWholeReads.filter(([part]) => !planned.some((text) => text.includes(part)))).toEqual([]);
  },
  120_000,
);

testPlans(
  'a statement that reads a whole table is found out, and one that reads all of an environment',
  async () => {
    const none = { tables: new Set<string>(), indexes: new Set<string>() };
    const found = async (text: string) => wholeReads(await planOf(text), none);
    expect(await found('SELECT id FROM "Invoice" WHERE memo = $1')).toEqual(['Invoice by Seq Scan']);
    expect(await found('SELECT memo FROM "Invoice" WHERE "environmentId" = $1 AND memo = $2')).toEqual([
      expect.stringMatching(/^Invoice by Invoice_/),
    ]);
    expect(await found('SELECT id FROM "Invoice" WHERE "environmentId" = $1 AND id = ANY($2)')).toEqual([]);
    const page = 'SELECT id FROM "Invoice" WHERE "environmentId" = $1 ORDER BY "createdAt", seq LIMIT 20';
    expect(await found(page)).toEqual([]);
  },
);
