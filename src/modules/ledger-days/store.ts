import { billedPostings } from '../../domain/metrics/cash.ts';
import { type Day, midnightOf } from '../../domain/metrics/range.ts';
import { isClockRunning } from '../../engine/running-clock.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { EnvironmentKey } from '../../platform/queue/lease.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../platform/queue/lease-table.ts';

/** The most transfers beyond the cursor that a read adds to the sums. */
export const mostFresh = 5_000;

/** The leases of environments by the workers that sum up their ledgers. */
export const ledgerDayLeases = leaseTable<EnvironmentKey>('LedgerDayCursor', ['environmentId']);

/** Up to `limit` environments nobody sums up and no clock run works in that have transfers beyond their cursor. Locks nothing. */
export function findLedgerDayWork(
  query: Query,
  now: Date,
  limit: number,
  environmentId: string | null,
): Promise<EnvironmentKey[]> {
  const own = environmentOf('k', environmentId, '$3');
  return query<EnvironmentKey>(
    `SELECT k."environmentId" FROM "LedgerDayCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = ${own}
     WHERE ${isFree('k', '$1')} AND k.seq < c.seq
       AND k.seq < (SELECT t.seq FROM "LedgerTransfer" t WHERE t."environmentId" = ${own} ORDER BY t.seq DESC LIMIT 1)
       AND NOT ${isClockRunning(own)} ${isWithin('k', environmentId, '$3')}
     ORDER BY k."leaseUntil" NULLS FIRST LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );
}

/** The UTC day of an instant, as its midnight. */
const dayOf = (instant: string): string => `date_trunc('day', ${instant}, 'UTC')`;

/** Transfers beyond a seq, the earliest first, as `fresh`. */
const freshAfter = (seq: string, limit: string): string =>
  `fresh AS MATERIALIZED (SELECT t.seq, t.fact, t."debitAccount", t."creditAccount", t.currency, t."amountMinor", t."invoiceId", t."transactionId", ${dayOf('t."occurredAt"')} AS day
     FROM "LedgerTransfer" t WHERE t."environmentId" = $1 AND t.seq > ${seq} ORDER BY t.seq LIMIT ${limit})`;

/** The transfers a read adds to the sums. */
const fresh = freshAfter(
  '(SELECT k.seq FROM "LedgerDayCursor" k WHERE k."environmentId" = $1)',
  String(mostFresh),
);

const invoiceOfFresh = `JOIN "Invoice" i ON i."environmentId" = $1 AND i.id = f."invoiceId"`;

/** What each table of sums gets from fresh transfers: the columns of its rows, what is added up, and the rows of one transfer. */
const sums = {
  LedgerDay: {
    keys: ['day', 'currency', 'fact'],
    amounts: ['amountMinor'],
    rows: `SELECT f.day, f.currency, f.fact, f."amountMinor" FROM fresh f`,
  },
  ReceivableDay: {
    keys: ['day', 'currency', 'dueDay'],
    amounts: ['amountMinor'],
    rows: `SELECT f.day, f.currency, ${dayOf('i."dueDate"')} AS "dueDay", CASE WHEN f."debitAccount" = 'receivable' THEN f."amountMinor" ELSE -f."amountMinor" END AS "amountMinor"
      FROM fresh f ${invoiceOfFresh} WHERE 'receivable' IN (f."debitAccount", f."creditAccount")`,
  },
  // What was paid before is in the ledger as far as it lowers the invoice; its line may show more, of which the rest became a customer credit. Lines
  // that draw on customer credits are paid with these, not taken off what is billed.
  BilledDay: {
    keys: ['day', 'currency', 'invoiceType', 'lineType', 'planName'],
    amounts: ['amountMinor'],
    rows: `SELECT f.day, f.currency, i.type AS "invoiceType", l."lineType", i."planName", CASE f.fact WHEN 'invoice.issued' THEN l.amount ELSE -l.amount END AS "amountMinor"
      FROM fresh f ${invoiceOfFresh} JOIN "InvoiceLine" l ON l."environmentId" = $1 AND l."invoiceId" = i.id
      WHERE f.fact IN ('invoice.issued', 'invoice.voided') AND l."lineType" <> 'credit'
      UNION ALL SELECT f.day, f.currency, i.type, 'credit', i."planName", CASE f.fact WHEN 'invoice.prorated' THEN -f."amountMinor" ELSE f."amountMinor" END
      FROM fresh f ${invoiceOfFresh} WHERE f.fact IN ('invoice.prorated', 'invoice.proration_voided')`,
  },
  SettledDay: {
    keys: ['day', 'currency'],
    amounts: ['amountMinor', 'usdMinor'],
    rows: `SELECT f.day, f.currency, f."amountMinor", x."grossUsdMinor" AS "usdMinor" FROM fresh f
      JOIN "Transaction" x ON x."environmentId" = $1 AND x.id = f."transactionId"
      WHERE f.fact = 'payment.settled' AND f.currency <> 'usd' AND x."grossUsdMinor" IS NOT NULL`,
  },
} as const;

type SumTable = keyof typeof sums;

const quoted = (names: readonly string[], of = ''): string =>
  names.map((name) => `${of}"${name}"`).join(', ');

const added = (amounts: readonly string[]): string =>
  amounts.map((amount) => `SUM("${amount}")::bigint AS "${amount}"`).join(', ');

/** A column of a key as text, of the same length wherever it could run into the next. */
const keyText = (key: string): string =>
  key.toLowerCase().endsWith('day')
    ? `to_char("${key}" AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
    : key === 'planName'
      ? `md5(coalesce("planName", ''))`
      : `"${key}"::text`;

/** Adds fresh transfers to one table of sums. */
const folding = (table: SumTable): string => {
  const { keys, amounts, rows } = sums[table];
  return `INSERT INTO "${table}" ("environmentId", id, ${quoted(keys)}, ${quoted(amounts)})
    SELECT $1, concat_ws(' ', ${keys.map(keyText).join(', ')}), ${quoted(keys)}, ${added(amounts)} FROM (${rows}) AS r GROUP BY ${quoted(keys)}
    ON CONFLICT ("environmentId", id) DO UPDATE SET ${amounts.map((amount) => `"${amount}" = "${table}"."${amount}" + EXCLUDED."${amount}"`).join(', ')}`;
};

/** How far the sums are, locked until the transaction ends; null when the environment is not leased to `owner`. */
export async function lockLedgerDayCursor(sql: Query, owner: string): Promise<bigint | null> {
  const [row] = await sql<{ seq: bigint }>(
    'SELECT seq FROM "LedgerDayCursor" WHERE "environmentId" = $1 AND "leaseOwner" = $2 FOR UPDATE',
    [owner],
  );
  return row?.seq ?? null;
}

/** Adds up to `limit` transfers beyond the locked cursor to all sums and moves the cursor, in one statement. Answers how many. */
export async function foldTransfers(sql: Query, seq: bigint, limit: number): Promise<number> {
  const tables = Object.keys(sums) as SumTable[];
  const [row] = await sql<{ count: number }>(
    `WITH ${freshAfter('$2', '$3')}, ${tables.map((table) => `"of${table}" AS (${folding(table)})`).join(', ')},
       moved AS (UPDATE "LedgerDayCursor" SET seq = coalesce((SELECT max(f.seq) FROM fresh f), $2) WHERE "environmentId" = $1)
     SELECT count(*)::int AS count FROM fresh`,
    [seq, limit],
  );
  return row?.count ?? 0;
}

/** Removes all sums of the environment and begins again with its first transfer. The cursor is locked. */
export async function forgetSums(sql: Query): Promise<void> {
  for (const table of Object.keys(sums)) await sql(`DELETE FROM "${table}" WHERE "environmentId" = $1`);
  await sql('UPDATE "LedgerDayCursor" SET seq = 0 WHERE "environmentId" = $1');
}

/** Sums and fresh transfers of a table together, as a subquery; `where` limits both. */
const combined = (table: SumTable, where: string): string => {
  const { keys, amounts, rows } = sums[table];
  const columns = `${quoted(keys)}, ${quoted(amounts)}`;
  return `(SELECT ${columns} FROM "${table}" WHERE "environmentId" = $1 AND ${where} UNION ALL SELECT ${columns} FROM (${rows}) AS fresh_rows WHERE ${where}) AS r`;
};

/** Days in order, each the first of a span that ends before the next; the last span ends with `to`. */
export type Spans = { readonly starts: readonly Day[]; readonly to: Day };

const instants = ({ starts, to }: Spans): unknown[] => [starts.map(midnightOf), midnightOf(to)];

/** The rows of the spans in $2 to $3, and the place of the span a day lies in, from 0. */
const inSpans = 'day >= ($2::timestamptz[])[1] AND day <= $3::timestamptz';
const spanOf = 'width_bucket(day, $2::timestamptz[]) - 1';

/** The sum of a fact in one span and currency, minor units. */
export type FactSum = {
  readonly span: number;
  readonly currency: string;
  readonly fact: string;
  readonly amount: bigint;
};

/** The sums of facts by span and currency. One statement. */
export const readFactSums = (sql: Query, spans: Spans, facts: readonly string[]): Promise<FactSum[]> =>
  sql<FactSum>(
    `WITH ${fresh} SELECT ${spanOf} AS span, currency, fact, SUM("amountMinor")::bigint AS amount
     FROM ${combined('LedgerDay', `${inSpans} AND fact = ANY($4::text[])`)} GROUP BY 1, 2, 3`,
    [...instants(spans), facts],
  );

/** What billed amounts can be grouped by, as columns of their sums. */
export type BilledColumn = 'planName' | 'invoiceType' | 'lineType';

/** What was billed in one span, currency and group; null where the invoices name no plan, or without groups. */
export type BilledSum = {
  readonly span: number;
  readonly currency: string;
  readonly key: string | null;
  readonly amount: bigint;
};

/** Billed amounts by span, currency and group. One statement. */
export const readBilledSums = (sql: Query, spans: Spans, column: BilledColumn | null): Promise<BilledSum[]> =>
  sql<BilledSum>(
    `WITH ${fresh} SELECT ${spanOf} AS span, currency, ${column === null ? 'NULL::text' : `"${column}"::text`} AS key, SUM("amountMinor")::bigint AS amount
     FROM ${combined('BilledDay', inSpans)} GROUP BY 1, 2, 3`,
    instants(spans),
  );

/** What invoices due on one day left open in one currency, minor units. */
export type OpenSum = { readonly currency: string; readonly dueDay: Date; readonly amount: bigint };

/** What is owed at the end of a day, by currency and due day. One statement, which adds up all days before. */
export const readOpenSums = (sql: Query, day: Day): Promise<OpenSum[]> =>
  sql<OpenSum>(
    `WITH ${fresh} SELECT currency, "dueDay", SUM("amountMinor")::bigint AS amount
     FROM ${combined('ReceivableDay', 'day <= $2::timestamptz')} GROUP BY 1, 2 HAVING SUM("amountMinor") <> 0`,
    [midnightOf(day)],
  );

/** A day's settled charges in one currency: minor units of it, and US cents. */
export type SettledSum = {
  readonly day: Date;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly usdMinor: bigint;
};

/** Settled charges whose worth in US cents is known, by day and currency. One statement. */
export const readSettledSums = (sql: Query, from: Day, to: Day): Promise<SettledSum[]> =>
  sql<SettledSum>(
    `WITH ${fresh} SELECT day, currency, ${added(['amountMinor', 'usdMinor'])}
     FROM ${combined('SettledDay', 'day >= $2::timestamptz AND day <= $3::timestamptz')} GROUP BY 1, 2`,
    [midnightOf(from), midnightOf(to)],
  );

/** Whether a read has all transfers: no more wait beyond the cursor than it adds. */
export async function readIsComplete(sql: Query): Promise<boolean> {
  const [row] = await sql<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (SELECT FROM "LedgerTransfer" t WHERE t."environmentId" = $1
       AND t.seq > (SELECT k.seq FROM "LedgerDayCursor" k WHERE k."environmentId" = $1) ORDER BY t.seq LIMIT ${mostFresh + 1}) AS beyond`,
  );
  return (row?.waiting ?? 0) <= mostFresh;
}

/** The sign of a fact in what is billed, as a column of its transfers. */
const billedSign = `CASE ${Object.entries(billedPostings)
  .map(([fact, sign]) => `WHEN t.fact = '${fact}' THEN ${sign}`)
  .join(' ')} END`;

/** A sum of one day that differs from the transfers behind it. Minor units. */
export type DayMismatch = { readonly account: string; readonly expected: bigint; readonly actual: bigint };

/**
 * Compares the sums, and what waits beyond their cursor, with all transfers of the ledger: facts, receivables and billed amounts, by day and currency.
 * One statement, which costs time in proportion to all transfers. Empty where more waits than a read adds.
 */
export async function readDayMismatches(sql: Query): Promise<DayMismatch[]> {
  if (!(await readIsComplete(sql))) return [];
  return sql<DayMismatch>(
    `WITH ${fresh},
       actual AS (
         SELECT fact AS figure, day, currency, "amountMinor" AS amount FROM ${combined('LedgerDay', 'TRUE')}
         UNION ALL SELECT 'receivable', day, currency, "amountMinor" FROM ${combined('ReceivableDay', 'TRUE')}
         UNION ALL SELECT 'billed', day, currency, "amountMinor" FROM ${combined('BilledDay', 'TRUE')}),
       transfers AS (SELECT t.*, ${dayOf('t."occurredAt"')} AS day FROM "LedgerTransfer" t WHERE t."environmentId" = $1),
       expected AS (
         SELECT fact AS figure, day, currency, "amountMinor" AS amount FROM transfers
         UNION ALL SELECT 'receivable', day, currency, CASE WHEN "debitAccount" = 'receivable' THEN "amountMinor" ELSE -"amountMinor" END
           FROM transfers WHERE 'receivable' IN ("debitAccount", "creditAccount")
         UNION ALL SELECT 'billed', day, currency, ${billedSign} * "amountMinor" FROM transfers t WHERE ${billedSign} IS NOT NULL)
     SELECT concat_ws(' ', to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD'), currency, figure) AS account,
       coalesce(e.amount, 0)::bigint AS expected, coalesce(a.amount, 0)::bigint AS actual
     FROM (SELECT figure, day, currency, SUM(amount) AS amount FROM expected GROUP BY 1, 2, 3) e
     FULL JOIN (SELECT figure, day, currency, SUM(amount) AS amount FROM actual GROUP BY 1, 2, 3) a USING (figure, day, currency)
     WHERE coalesce(e.amount, 0) <> coalesce(a.amount, 0) ORDER BY 1`,
  );
}
