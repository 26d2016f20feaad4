import { type BilledScope, billedPostings } from '../../../domain/metrics/cash.ts';
import { type Day, spansOfSums } from '../../../domain/metrics/range.ts';
import type { Query } from '../../../platform/db/pool.ts';
import {
  dayOf,
  dayText,
  follows,
  freshFor,
  type RowSource,
  reachedBy,
  readSums,
  type Spans,
  type Sum,
  spanParameters,
  storedDays,
  summed,
} from '../day-sums/store.ts';

const invoiceOfFresh = `JOIN "Invoice" i ON i."environmentId" = $1 AND i.id = f."invoiceId"`;

/** SQL that joins the invoice of a transfer and the invoice's recorded buyer, whose country is needed. */
const billedInvoice = `${invoiceOfFresh} JOIN "InvoiceParty" p ON p."environmentId" = $1 AND p.id = i."buyerId"`;

/** Sums of ledger transfers. */
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
} as const satisfies Record<string, Sum>;

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

/** SQL for the amounts of a figure by day and currency, as rows to compare. `rows` contains the days. */
const compared = (figure: string, amount: string, rows: string): string =>
  `SELECT concat_ws(' ', ${dayText('day')}, currency, ${figure}) AS subject, ${amount} AS amount FROM ${rows}`;

const position = { name: 'ledger', reached: 'seq' } as const;

/** Ledger transfers. The facts, the receivables, and the billed amounts are checked by day and currency. */
export const ledgerSource: RowSource = {
  ...position,
  sums: Object.values(sums),
  derived: [],
  table: 'LedgerTransfer',
  columns: `e.seq, e.fact, e."debitAccount", e."creditAccount", e.currency, e."amountMinor", e."invoiceId", e."transactionId", ${dayOf('e."occurredAt"')} AS day`,
  at: 'seq',
  after: '>',
  order: 'e.seq',
  mostFresh: 5_000,
  counter: 'seq',
  hasRows: follows('LedgerTransfer', 'e.seq > k.seq', 'e.seq'),
  check: {
    isOfRows: true,
    before: `transfers AS (SELECT t.*, ${dayOf('t."occurredAt"')} AS day FROM "LedgerTransfer" t WHERE t."environmentId" = $1 AND t.seq <= ${reachedBy(position)})`,
    expected: [
      compared('fact', '"amountMinor"', 'transfers'),
      compared(
        `'receivable'`,
        `CASE WHEN "debitAccount" = 'receivable' THEN "amountMinor" ELSE -"amountMinor" END`,
        `transfers WHERE 'receivable' IN ("debitAccount", "creditAccount")`,
      ),
      compared(
        'figure',
        `${billedSign} * "amountMinor"`,
        `transfers t CROSS JOIN unnest(ARRAY[${billedScopes.map((scope) => `'billed by ${scope}'`).join(', ')}]) AS figure WHERE ${billedSign} IS NOT NULL`,
      ),
    ].join(' UNION ALL '),
    actual: [
      compared('fact', '"amountMinor"', storedDays(sums.LedgerDay)),
      compared(`'receivable'`, '"amountMinor"', storedDays(sums.ReceivableDay)),
      ...billedScopes.map((scope) =>
        compared(`'billed by ${scope}'`, '"amountMinor"', storedDays(sums.BilledDay, `scope = '${scope}'`)),
      ),
    ].join(' UNION ALL '),
  },
};

/** Sum of the transfers with one fact in one bucket and currency, in minor units. */
export type FactSum = {
  readonly span: number;
  readonly currency: string;
  readonly fact: string;
  readonly amount: bigint;
};

/** Returns the sums of the transfers with the given facts, by fact, bucket, and currency. Runs one SQL statement. */
export async function readFactSums(sql: Query, spans: Spans, facts: readonly string[]): Promise<FactSum[]> {
  const choice = { where: 'fact = ANY($5::text[])', params: [facts] };
  const found = await readSums(sql, ledgerSource, sums.LedgerDay, spans, choice);
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
export async function readBilledSums(sql: Query, spans: Spans, scope: BilledScope): Promise<BilledSum[]> {
  const choice = { where: 'scope = $5', params: [scope] };
  const found = await readSums(sql, ledgerSource, sums.BilledDay, spans, choice);
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
    `WITH ${freshFor(ledgerSource, sums.ReceivableDay)} SELECT currency, "dueDay", SUM("amountMinor")::bigint AS amount
     FROM ${summed(sums.ReceivableDay)} WHERE day >= ($5::timestamptz[])[1] GROUP BY 1, 2 HAVING SUM("amountMinor") <> 0`,
    spanParameters({ spans: spansOfSums({ from: firstDay, to: day }, true), starts: [firstDay] }),
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
    `WITH ${freshFor(ledgerSource, sums.SettledDay)} SELECT day, currency, SUM("amountMinor")::bigint AS "amountMinor", SUM("usdMinor")::bigint AS "usdMinor"
     FROM ${summed(sums.SettledDay)} WHERE day >= ($5::timestamptz[])[1] GROUP BY 1, 2`,
    spanParameters({ spans: spansOfSums({ from, to }, false), starts: [from] }),
  );
