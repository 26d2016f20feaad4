import { type BilledScope, billedPostings } from '../../../domain/metrics/cash.ts';
import { type Day, type SpanOfSums, spansOfSums } from '../../../domain/metrics/range.ts';
import { isClockRunning } from '../../../engine/running-clock.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { EnvironmentKey } from '../../../platform/queue/lease.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../../platform/queue/lease-table.ts';
import {
  dayOf,
  folding,
  monthMismatches,
  readSums,
  type SumMismatch,
  spanParameters,
  summed,
  summedDays,
} from '../day-sums/store.ts';

/** Maximum number of transfers after the worker's cursor that a read includes. */
const maxFreshTransfers = 5_000;

/** Leases of environments for the workers that aggregate ledger transfers. */
export const ledgerDayLeases = leaseTable<EnvironmentKey>('LedgerDayCursor', ['environmentId']);

/**
 * Returns up to `limit` environments with transfers after their cursor. Excludes environments with a lease or an unfinished clock run. Doesn't
 * lock rows.
 */
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

/** CTE `fresh`: the transfers after a sequence number, in ascending order. */
const freshAfter = (seq: string, limit: string): string =>
  `fresh AS MATERIALIZED (SELECT t.seq, t.fact, t."debitAccount", t."creditAccount", t.currency, t."amountMinor", t."invoiceId", t."transactionId", ${dayOf('t."occurredAt"')} AS day
     FROM "LedgerTransfer" t WHERE t."environmentId" = $1 AND t.seq > ${seq} ORDER BY t.seq LIMIT ${limit})`;

/** CTE `fresh`: the transfers that the stored sums don't include yet. */
const fresh = freshAfter(
  '(SELECT k.seq FROM "LedgerDayCursor" k WHERE k."environmentId" = $1)',
  String(maxFreshTransfers),
);

const invoiceOfFresh = `JOIN "Invoice" i ON i."environmentId" = $1 AND i.id = f."invoiceId"`;

/** SQL that joins the invoice of a transfer and the invoice's recorded buyer, whose country is needed. */
const billedInvoice = `${invoiceOfFresh} JOIN "InvoiceParty" p ON p."environmentId" = $1 AND p.id = i."buyerId"`;

/** Tables of sums, and the rows that the transfers in `fresh` add to each table. */
const sums = {
  LedgerDay: {
    table: 'LedgerDay',
    keys: ['currency', 'fact'],
    amounts: ['amountMinor'],
    rows: `SELECT f.day, f.currency, f.fact, f."amountMinor" FROM fresh f`,
  },
  ReceivableDay: {
    table: 'ReceivableDay',
    keys: ['currency', 'dueDay'],
    amounts: ['amountMinor'],
    rows: `SELECT f.day, f.currency, ${dayOf('i."dueDate"')} AS "dueDay", CASE WHEN f."debitAccount" = 'receivable' THEN f."amountMinor" ELSE -f."amountMinor" END AS "amountMinor"
      FROM fresh f ${invoiceOfFresh} WHERE 'receivable' IN (f."debitAccount", f."creditAccount")`,
  },
  // The ledger contains a proration only up to the amount that reduces the invoice; the remaining amount becomes customer credit. Line
  // items that draw on customer credit are payments, so they don't reduce the billed amount.
  BilledDay: {
    table: 'BilledDay',
    keys: ['currency', 'scope', 'groupKey'],
    amounts: ['amountMinor'],
    rows: `SELECT b.day, b.currency, g.scope, g."groupKey", b."amountMinor" FROM (
        SELECT f.day, f.currency, i.type, l."lineType", i."planName", p.data->>'country' AS country, CASE WHEN f.fact = 'invoice.issued' THEN l.amount ELSE -l.amount END AS "amountMinor"
        FROM fresh f ${billedInvoice} JOIN "InvoiceLine" l ON l."environmentId" = $1 AND l."invoiceId" = i.id
        WHERE f.fact IN ('invoice.issued', 'invoice.voided') AND l."lineType" <> 'credit'
        UNION ALL SELECT f.day, f.currency, i.type, 'credit', i."planName", p.data->>'country', CASE WHEN f.fact IN ('invoice.prorated', 'invoice.credited') THEN -f."amountMinor" ELSE f."amountMinor" END
        FROM fresh f ${billedInvoice} WHERE f.fact IN ('invoice.prorated', 'invoice.proration_voided', 'invoice.credited', 'invoice.credit_voided')) AS b
      CROSS JOIN LATERAL (VALUES ('currency', ''), ('plan', coalesce(b."planName", '')), ('invoice_type', b.type::text), ('line_type', b."lineType"::text), ('country', coalesce(b.country, ''))) AS g(scope, "groupKey")`,
  },
  SettledDay: {
    table: 'SettledDay',
    keys: ['currency'],
    amounts: ['amountMinor', 'usdMinor'],
    rows: `SELECT f.day, f.currency, f."amountMinor", x."grossUsdMinor" AS "usdMinor" FROM fresh f
      JOIN "Transaction" x ON x."environmentId" = $1 AND x.id = f."transactionId"
      WHERE f.fact = 'payment.settled' AND f.currency <> 'usd' AND x."grossUsdMinor" IS NOT NULL`,
  },
} as const;

type Name = keyof typeof sums;

/**
 * Locks the cursor until the transaction ends and returns its position. `null` if the environment isn't leased to `owner`. If `owner` is
 * `null`, the lease isn't checked.
 */
export async function lockLedgerDayCursor(sql: Query, owner: string | null): Promise<bigint | null> {
  const [row] = await sql<{ seq: bigint }>(
    'SELECT seq FROM "LedgerDayCursor" WHERE "environmentId" = $1 AND ($2::text IS NULL OR "leaseOwner" = $2) FOR UPDATE',
    [owner],
  );
  return row?.seq ?? null;
}

/**
 * Adds up to `limit` transfers after the locked cursor to all sums and advances the cursor. Runs one SQL statement.
 * Returns the number of transfers.
 */
export async function foldTransfers(sql: Query, seq: bigint, limit: number): Promise<number> {
  const written = Object.values(sums).map((of) => `"of${of.table}" AS (${folding(of, of.rows)})`);
  const [row] = await sql<{ count: number }>(
    `WITH ${freshAfter('$2', '$3')}, ${written.join(', ')},
       moved AS (UPDATE "LedgerDayCursor" SET seq = coalesce((SELECT max(f.seq) FROM fresh f), $2) WHERE "environmentId" = $1)
     SELECT count(*)::int AS count FROM fresh`,
    [seq, limit],
  );
  return row?.count ?? 0;
}

/** Deletes all ledger sums of the environment and resets the locked cursor to the start of the ledger. */
export async function forgetSums(sql: Query): Promise<void> {
  for (const table of Object.keys(sums)) await sql(`DELETE FROM "${table}" WHERE "environmentId" = $1`);
  await sql('UPDATE "LedgerDayCursor" SET seq = 0 WHERE "environmentId" = $1');
}

/** SQL for the stored sums in the spans of a read, including the transfers in `fresh`. */
const combined = (name: Name, where?: string): string => summed(sums[name], sums[name].rows, where);

/** First days of consecutive buckets, and the spans of stored sums that cover the buckets. */
export type Spans = { readonly starts: readonly Day[]; readonly spans: readonly SpanOfSums[] };

/** Sum of the transfers with one fact in one bucket and currency, in minor units. */
export type FactSum = {
  readonly span: number;
  readonly currency: string;
  readonly fact: string;
  readonly amount: bigint;
};

/** Data source of a series: the stored sums, and the rows that the transfers in `fresh` add. */
const sourceOf = (name: Name) => ({ sums: sums[name], rows: sums[name].rows, before: fresh });

/** Returns the sums of the transfers with the given facts, by fact, bucket, and currency. Runs one SQL statement. */
export async function readFactSums(
  sql: Query,
  { starts, spans }: Spans,
  facts: readonly string[],
): Promise<FactSum[]> {
  const source = { ...sourceOf('LedgerDay'), where: 'fact = ANY($5::text[])', params: [facts] };
  const found = await readSums(sql, source, spans, starts);
  return found.map(({ span, keys: [currency = '', fact = ''], amounts: [amount = 0n] }) => ({
    span,
    currency,
    fact,
    amount,
  }));
}

/** Billed amount in one bucket, currency, and group. The key is empty for invoices without a plan, and if the series has no groups. */
export type BilledSum = {
  readonly span: number;
  readonly currency: string;
  readonly key: string;
  readonly amount: bigint;
};

/**
 * Returns billed amounts by bucket, currency, and group. Runs one SQL statement that reads only the sums for this
 * scope.
 */
export async function readBilledSums(
  sql: Query,
  { starts, spans }: Spans,
  scope: BilledScope,
): Promise<BilledSum[]> {
  const source = { ...sourceOf('BilledDay'), where: 'scope = $5', params: [scope] };
  const found = await readSums(sql, source, spans, starts);
  return found.map(({ span, keys: [currency = '', , key = ''], amounts: [amount = 0n] }) => ({
    span,
    currency,
    key,
    amount,
  }));
}

/** Outstanding amount of the invoices with the same due day and currency, in minor units. */
export type OpenSum = { readonly currency: string; readonly dueDay: Date; readonly amount: bigint };

/** Day before the first possible ledger transfer. */
const firstDay: Day = '1970-01-01';

/**
 * Returns the amounts outstanding at the end of a day, by currency and due day. Runs one SQL statement, which adds the
 * monthly sums of earlier months to the daily sums of the month that contains the day.
 */
export const readOpenSums = (sql: Query, day: Day): Promise<OpenSum[]> =>
  sql<OpenSum>(
    `WITH ${fresh} SELECT currency, "dueDay", SUM("amountMinor")::bigint AS amount
     FROM ${combined('ReceivableDay')} WHERE day >= ($5::timestamptz[])[1] GROUP BY 1, 2 HAVING SUM("amountMinor") <> 0`,
    spanParameters(spansOfSums({ from: firstDay, to: day }, true), [firstDay]),
  );

/** Sum of a day's successful charges in one currency, in minor units of the currency and in US cents. */
export type SettledSum = {
  readonly day: Date;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly usdMinor: bigint;
};

/** Returns successful charges with a known value in US cents, by day and currency. Runs one SQL statement. */
export const readSettledSums = (sql: Query, from: Day, to: Day): Promise<SettledSum[]> =>
  sql<SettledSum>(
    `WITH ${fresh} SELECT day, currency, SUM("amountMinor")::bigint AS "amountMinor", SUM("usdMinor")::bigint AS "usdMinor"
     FROM ${combined('SettledDay')} WHERE day >= ($5::timestamptz[])[1] GROUP BY 1, 2`,
    spanParameters(spansOfSums({ from, to }, false), [from]),
  );

/** True if reads include all transfers: no more than `maxFreshTransfers` follow the cursor. */
export async function readIsComplete(sql: Query): Promise<boolean> {
  const [row] = await sql<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (SELECT FROM "LedgerTransfer" t WHERE t."environmentId" = $1
       AND t.seq > (SELECT k.seq FROM "LedgerDayCursor" k WHERE k."environmentId" = $1) ORDER BY t.seq LIMIT ${maxFreshTransfers + 1}) AS beyond`,
  );
  return (row?.waiting ?? 0) <= maxFreshTransfers;
}

/** SQL expression for the sign of a transfer's amount in the billed total. */
const billedSign = `CASE ${Object.entries(billedPostings)
  .map(([fact, sign]) => `WHEN t.fact = '${fact}' THEN ${sign}`)
  .join(' ')} END`;

const billedScopes = [
  'currency',
  'plan',
  'invoice_type',
  'line_type',
  'country',
] as const satisfies readonly BilledScope[];

const allDays = (name: Name, where?: string): string => summedDays(sums[name], sums[name].rows, where);

/**
 * Returns the monthly sums that differ from the total of their daily sums. Runs one SQL statement whose cost grows with
 * the number of sums.
 */
export const readMonthMismatches = (sql: Query): Promise<SumMismatch[]> =>
  sql<SumMismatch>(Object.values(sums).map(monthMismatches).join(' UNION ALL '));

/** Daily sum that differs from the sum of its transfers, in minor units. */
export type DayMismatch = { readonly account: string; readonly expected: bigint; readonly actual: bigint };

/**
 * Returns differences between the sums, including transfers after the cursor, and all transfers in the ledger. Compares
 * facts, receivables, and billed amounts by day and currency. Runs one SQL statement whose cost grows with the number
 * of transfers. Empty if more transfers follow the cursor than a read includes.
 */
export async function readDayMismatches(sql: Query): Promise<DayMismatch[]> {
  if (!(await readIsComplete(sql))) return [];
  return sql<DayMismatch>(
    `WITH ${fresh},
       actual AS (
         SELECT fact AS figure, day, currency, "amountMinor" AS amount FROM ${allDays('LedgerDay')}
         UNION ALL SELECT 'receivable', day, currency, "amountMinor" FROM ${allDays('ReceivableDay')}
         ${billedScopes.map((scope) => `UNION ALL SELECT 'billed by ${scope}', day, currency, "amountMinor" FROM ${allDays('BilledDay', `scope = '${scope}'`)}`).join(' ')}),
       transfers AS (SELECT t.*, ${dayOf('t."occurredAt"')} AS day FROM "LedgerTransfer" t WHERE t."environmentId" = $1),
       expected AS (
         SELECT fact AS figure, day, currency, "amountMinor" AS amount FROM transfers
         UNION ALL SELECT 'receivable', day, currency, CASE WHEN "debitAccount" = 'receivable' THEN "amountMinor" ELSE -"amountMinor" END
           FROM transfers WHERE 'receivable' IN ("debitAccount", "creditAccount")
         UNION ALL SELECT figure, day, currency, ${billedSign} * "amountMinor" FROM transfers t
           CROSS JOIN unnest(ARRAY[${billedScopes.map((scope) => `'billed by ${scope}'`).join(', ')}]) AS figure WHERE ${billedSign} IS NOT NULL)
     SELECT concat_ws(' ', to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD'), currency, figure) AS account,
       coalesce(e.amount, 0)::bigint AS expected, coalesce(a.amount, 0)::bigint AS actual
     FROM (SELECT figure, day, currency, SUM(amount) AS amount FROM expected GROUP BY 1, 2, 3) e
     FULL JOIN (SELECT figure, day, currency, SUM(amount) AS amount FROM actual GROUP BY 1, 2, 3) a USING (figure, day, currency)
     WHERE coalesce(e.amount, 0) <> coalesce(a.amount, 0) ORDER BY 1`,
  );
}
