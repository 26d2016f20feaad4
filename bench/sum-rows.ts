import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { sumNames } from '../src/domain/metrics/movements.ts';
import { folding, quoted, type SumTable } from '../src/modules/metrics/day-sums/store.ts';
import { createDatabase, dropAll, onDatabase } from './database.ts';
import { alignedText, ms } from './table.ts';

// Compares two ways to store sums: one row per month with a list of days, and one row per day. Run with
// `node bench/sum-rows.ts [customers] [groups]`. See docs/adr/0011-month-rows.md.

const customers = Number(process.argv[2] ?? 100_000);
const groups = Number(process.argv[3] ?? 300);
const months = 12;
/** A customer has usage on every fourth day. */
const everyDays = 4;
const start = `timestamptz '2025-01-01Z'`;
const environmentId = 'env_0123456789abcdef01234567';

/** Kind of sum in both forms. `rows` selects the rows to add for the days from $2 to $3, which are numbers of days. */
type Kind = SumTable & { readonly types: readonly string[]; readonly rows: string };

const usage: Kind = {
  table: 'Usage',
  keys: ['featureId', 'customerId'],
  types: ['text', 'text'],
  amounts: ['events', 'units', 'lateUnits', 'credits'],
  rows: `SELECT ${start} + d * interval '1 day' AS day, 'ftr_0123456789abcdef01234567' AS "featureId", 'cus_0123456789abcdef0' || n AS "customerId",
      10 AS events, 5000 + n % 100 AS units, 0 AS "lateUnits", 12 AS credits
    FROM generate_series($2::int, $3::int) AS d, generate_series(1, ${customers}) AS n WHERE (n + d) % ${everyDays} = 0`,
};

const revenue: Kind = {
  table: 'Revenue',
  keys: ['scope', 'currency', 'kind', 'reason', 'groupKey', 'otherKey'],
  types: ['text', 'text', 'text', 'text', 'text', 'text'],
  amounts: sumNames,
  rows: `SELECT ${start} + d * interval '1 day' AS day, 'group' AS scope, (ARRAY['usd', 'eur', 'gbp'])[1 + n % 3] AS currency, kind, 'activated' AS reason,
      concat_ws('|', 'pln_0123456789abcdef0' || n, 'monthly', 'US', 'stripe') AS "groupKey", '' AS "otherKey",
      100000 AS amount, 1 AS customers, 100000 AS base, 0 AS discount, 0 AS seats, 0 AS quota, 0 AS addons, 0 AS "atRisk", 1 AS paying
    FROM generate_series($2::int, $3::int) AS d, generate_series(1, ${groups}) AS n, unnest(ARRAY['level', 'new']) AS kind`,
};

const kinds = { usage, revenue } as const;

const dayTable = (kind: Kind): string => `${kind.table}Day`;

/** Statement that adds rows to the sums of their days. */
const foldingDays = (kind: Kind): string => {
  const table = dayTable(kind);
  const added = kind.amounts.map((amount) => `SUM("${amount}")::bigint`).join(', ');
  return `INSERT INTO "${table}" ("environmentId", day, ${quoted([...kind.keys, ...kind.amounts])})
    SELECT $1, day, ${quoted(kind.keys)}, ${added} FROM (${kind.rows}) AS r GROUP BY day, ${quoted(kind.keys)}
    ON CONFLICT ("environmentId", ${quoted(kind.keys)}, day) DO UPDATE SET
      ${kind.amounts.map((amount) => `"${amount}" = "${table}"."${amount}" + EXCLUDED."${amount}"`).join(', ')}`;
};

async function create(client: pg.Client, kind: Kind): Promise<void> {
  const keys = kind.keys.map((key, index) => `"${key}" ${kind.types[index]} NOT NULL`).join(', ');
  const amounts = kind.amounts.map((amount) => `"${amount}" bigint NOT NULL`).join(', ');
  const lists = kind.amounts.map((amount) => `"${amount}Days" bigint[]`).join(', ');
  const leading = kind === revenue ? 'scope, ' : '';
  await client.query(`CREATE TABLE "${kind.table}" ("environmentId" text NOT NULL, id text NOT NULL, month timestamptz(3) NOT NULL, ${keys}, ${amounts},
      days smallint[], ${lists}, PRIMARY KEY ("environmentId", id));
    CREATE INDEX ON "${kind.table}" ("environmentId", ${leading}month);
    CREATE TABLE "${dayTable(kind)}" ("environmentId" text NOT NULL, day timestamptz(3) NOT NULL, ${keys}, ${amounts},
      PRIMARY KEY ("environmentId", ${quoted(kind.keys)}, day));
    CREATE INDEX ON "${dayTable(kind)}" ("environmentId", ${leading}day)`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Adds the days one after another, like the worker. Returns the time of the last day. */
async function fill(client: pg.Client, text: string): Promise<number> {
  const last = months * 30 - 1;
  // Each statement adds ten days, except in the last month, so that each of its days updates the row of the month.
  for (let day = 0; day < last - 25; day += 10) {
    await client.query(text, [environmentId, day, Math.min(day + 9, last - 26)]);
  }
  let time = 0;
  for (let day = last - 25; day <= last; day++)
    time = await timed(() => client.query(text, [environmentId, day, day]));
  return time;
}

async function sizeOf(client: pg.Client, table: string): Promise<string> {
  await client.query(`VACUUM (ANALYZE) "${table}"`);
  const { rows } = await client.query<{ size: string; rows: string }>(
    `SELECT (pg_total_relation_size('"${table}"') / 1048576)::text AS size, (SELECT count(*) FROM "${table}")::text AS rows`,
  );
  return `${rows[0]?.size} MiB, ${rows[0]?.rows} rows`;
}

const sums = (kind: Kind, of = ''): string =>
  kind.amounts.map((amount) => `SUM(${of}"${amount}")`).join(', ');

/** Reads of one year, by form and interval. A read by customer returns the 50 largest. Revenue returns every group. */
function readsOf(kind: Kind): Readonly<Record<string, string>> {
  const group = kind === usage ? '"customerId"' : 'currency, kind, "groupKey"';
  const where = kind === usage ? 'TRUE' : `scope = 'group'`;
  const within = (column: string): string =>
    `"environmentId" = $1 AND ${where} AND ${column} BETWEEN ${start} AND ${start} + interval '1 year'`;
  const listed = `unnest(${quoted(['days', ...kind.amounts.map((amount) => `${amount}Days`)], 't.')}) AS d(n, ${quoted(kind.amounts)})`;
  const top = (text: string): string =>
    kind === usage ? `SELECT * FROM (${text}) AS r ORDER BY 3 DESC LIMIT 5000` : text;
  return {
    'year by day, month rows': top(
      kind === usage
        ? `SELECT ${group}, t.month + (d.n - 1) * interval '24 hours' AS day, ${sums(kind, 'd.')} FROM "${kind.table}" t CROSS JOIN LATERAL ${listed} WHERE ${within('month')} GROUP BY 1, 2`
        : `SELECT ${group}, month, days::text, ${kind.amounts.map((amount) => `"${amount}Days"::text`).join(', ')} FROM "${kind.table}" t WHERE ${within('month')}`,
    ),
    'year by day, day rows': top(
      kind === usage
        ? `SELECT ${group}, day, ${sums(kind)} FROM "${dayTable(kind)}" WHERE ${within('day')} GROUP BY 1, 2`
        : `SELECT ${group}, day, ${quoted(kind.amounts)} FROM "${dayTable(kind)}" WHERE ${within('day')}`,
    ),
    'year by month, month rows': top(
      kind === usage
        ? `SELECT ${group}, month, ${sums(kind)} FROM "${kind.table}" WHERE ${within('month')} GROUP BY 1, 2`
        : `SELECT ${group}, month, ${quoted(kind.amounts)} FROM "${kind.table}" WHERE ${within('month')}`,
    ),
    'year by month, day rows': top(
      `SELECT ${group}, date_trunc('month', day, 'UTC') AS month, ${sums(kind)} FROM "${dayTable(kind)}" WHERE ${within('day')} GROUP BY ${kind === usage ? '1, 2' : '1, 2, 3, 4'}`,
    ),
  };
}

async function compare(client: pg.Client, name: string, kind: Kind): Promise<string[][]> {
  await create(client, kind);
  const written = {
    'month rows': await fill(client, folding(kind, kind.rows)),
    'day rows': await fill(client, foldingDays(kind)),
  };
  const rows = [
    [name, 'size, month rows', await sizeOf(client, kind.table)],
    [name, 'size, day rows', await sizeOf(client, dayTable(kind))],
    ...Object.entries(written).map(([form, time]) => [name, `write a day, ${form}`, ms(time)]),
  ];
  for (const [about, text] of Object.entries(readsOf(kind))) {
    const times: number[] = [];
    for (let round = 0; round < 3; round++)
      times.push(await timed(() => client.query({ text, values: [environmentId] })));
    rows.push([name, about, ms(Math.min(...times))]);
  }
  return rows;
}

const url = await createDatabase();
try {
  const rows = await onDatabase(url, async (client) => {
    await client.query(`CREATE TABLE "EnvironmentCounter" ("environmentId" text PRIMARY KEY)`);
    await client.query(`INSERT INTO "EnvironmentCounter" VALUES ($1)`, [environmentId]);
    const found: string[][] = [];
    for (const [name, kind] of Object.entries(kinds)) found.push(...(await compare(client, name, kind)));
    return found;
  });
  console.log(`${customers} customers with usage, ${groups} groups of revenue, ${months} months`);
  console.log(alignedText(['sums', 'measurement', ''], rows));
} finally {
  await dropAll();
}
