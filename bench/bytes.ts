import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { systemContext } from '../src/request/context.ts';
import { type Product, startProduct } from './children.ts';
import { addMeteredPlan, addSubscribers, post } from './consumers.ts';
import { createDatabase, dropAll, onDatabase } from './database.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

// Measures the disk space used by a renewal and by a usage event, by table and index, and the share of HOT updates. Simulates a year of
// monthly subscriptions with receipts and metrics, and usage events with an ID and two properties. The results don't depend on other load
// on the machine.

const { values: options } = parseArgs({
  options: {
    subscriptions: { type: 'string', default: '1000' },
    events: { type: 'string', default: '20000' },
    keep: { type: 'boolean', default: false },
  },
});
const [subscriptions, events] = [Number(options.subscriptions), Number(options.events)];
const eventsPerRequest = 500;

type Part = { readonly table: string; readonly part: string; readonly bytes: number };
type Rows = {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
};
type State = { readonly parts: readonly Part[]; readonly rows: readonly Rows[] };

const partsText = `
  SELECT t.relname AS table, 'heap' AS part, pg_table_size(t.oid)::int8 AS bytes FROM pg_class t WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace
  UNION ALL SELECT t.relname, i.relname, pg_relation_size(i.oid)::int8 FROM pg_class t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
    WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace`;
const rowsText = `SELECT relname AS table, n_tup_ins::int8 AS inserted, n_tup_upd::int8 AS updated, n_tup_hot_upd::int8 AS hot FROM pg_stat_user_tables`;

async function readState(client: pg.Client): Promise<State> {
  // PostgreSQL reports an idle session's writes within ten seconds.
  await sleep(11_000);
  const { rows: parts } = await client.query<{ table: string; part: string; bytes: string }>(partsText);
  const { rows } = await client.query<{ table: string; inserted: string; updated: string; hot: string }>(
    rowsText,
  );
  return {
    parts: parts.map((row) => ({ ...row, bytes: Number(row.bytes) })),
    rows: rows.map((row) => ({
      table: row.table,
      inserted: Number(row.inserted),
      updated: Number(row.updated),
      hot: Number(row.hot),
    })),
  };
}

/** Prints the growth of each table: rows and bytes per unit, bytes per row in the table and its indexes, and the share of HOT updates. */
function printGrowth(title: string, before: State, after: State, units: number): void {
  const bytesBefore = new Map(before.parts.map(({ table, part, bytes }) => [`${table}.${part}`, bytes]));
  const rowsBefore = new Map(before.rows.map((row) => [row.table, row]));
  const grown = after.parts.map((row) => ({
    ...row,
    bytes: row.bytes - (bytesBefore.get(`${row.table}.${row.part}`) ?? 0),
  }));
  const tables = [...Map.groupBy(grown, ({ table }) => table)]
    .map(([table, parts]) => ({ table, parts, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) }))
    .filter(({ bytes }) => bytes / units >= 1)
    .toSorted((a, b) => b.bytes - a.bytes);
  const sum = (rows: readonly { bytes: number }[]) => rows.reduce((total, { bytes }) => total + bytes, 0);
  console.log(`\n${title}: ${Math.round(sum(grown) / units)} bytes each, of ${units}`);
  for (const { table, parts, bytes } of tables) {
    const now = after.rows.find((row) => row.table === table);
    const then = rowsBefore.get(table);
    const inserted = (now?.inserted ?? 0) - (then?.inserted ?? 0);
    const updated = (now?.updated ?? 0) - (then?.updated ?? 0);
    const hot = (now?.hot ?? 0) - (then?.hot ?? 0);
    const perRow = parts
      .toSorted((a, b) => Number(b.part === 'heap') - Number(a.part === 'heap') || b.bytes - a.bytes)
      .map(
        (part) => `${part.part.replace(`${table}_`, '')} ${Math.round(part.bytes / Math.max(inserted, 1))}`,
      );
    const updates = updated === 0 ? '' : `, ${updated} updates, ${Math.round((100 * hot) / updated)} % HOT`;
    console.log(
      `${table.padEnd(18)} ${String(Math.round(bytes / units)).padStart(5)}  (${(inserted / units).toFixed(2)} rows${updates}) ${perRow.join(', ')}`,
    );
  }
}

/** Waits until the emails and metric sums for the events have been written. */
async function settled(client: pg.Client): Promise<void> {
  const text = `SELECT (SELECT count(*) FROM "EmailNotification" WHERE status IN ('pending', 'sending')) AS emails,
    (SELECT count(*) FROM "EmailCursor" e JOIN "EnvironmentCounter" c USING ("environmentId") WHERE e.position < c."eventPosition") AS cursors`;
  for (;;) {
    await sleep(3_000);
    const { rows } = await client.query<{ emails: string; cursors: string }>(text);
    if (rows[0]?.emails === '0' && rows[0].cursors === '0') return;
  }
}

/** Advances the test clock by a year in monthly steps. Vacuums after each month, as autovacuum would. */
async function runYear(product: Product, client: pg.Client): Promise<void> {
  const text = `SELECT count(*)::int AS open FROM "TestClockRun" WHERE status <> 'completed'`;
  for (let month = 1; month <= 12; month++) {
    await post(product, '/api/v1/test-clock', { advanceDays: month === 12 ? 35 : 30 });
    for (;;) {
      const { rows } = await client.query<{ open: number }>(text);
      if (rows[0]?.open === 0) break;
      await sleep(500);
    }
    await settled(client);
    await client.query('VACUUM');
  }
}

async function measure(): Promise<void> {
  const databaseUrl = await createDatabase();
  await closeWorld(await openWorld(databaseUrl));
  const product = await startProduct(databaseUrl, [], { MAIL_FILES: '1' });
  try {
    const plan = await addMeteredPlan(product);
    const app = await openWorld(databaseUrl);
    const ctx = await systemContext(app, await sandboxOf(databaseUrl));
    const customers = await addSubscribers(ctx, 'c', subscriptions, plan.planId);
    await closeWorld(app);
    await onDatabase(databaseUrl, async (client) => {
      await settled(client);
      const start = await readState(client);
      await runYear(product, client);
      const year = await readState(client);
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM "TestClockRunItem" WHERE kind = 'billing_cycle'`,
      );
      printGrowth('A renewal', start, year, Number(rows[0]?.count));
      for (let sent = 0; sent < events; sent += eventsPerRequest)
        await post(product, '/api/v1/usage/events/batch', {
          events: Array.from({ length: eventsPerRequest }, (_, index) => ({
            customerId: customers[(sent + index) % customers.length],
            featureCode: plan.featureCode,
            eventId: `event-${sent + index}`,
            value: 3,
            properties: [
              { property: 'region', value: 'eu-west-1' },
              { property: 'job', value: `job-${sent + index}` },
            ],
          })),
        });
      printGrowth('A usage event', year, await readState(client), events);
    });
  } finally {
    await product.stop();
    if (options.keep) console.log(databaseUrl);
    else await dropAll();
  }
}

await measure();
