import type { RecoveryMaker, RecoveryOutcome } from '../../../domain/metrics/recovery.ts';
import type { TrialCounts } from '../../../domain/metrics/trials.ts';
import type { Query } from '../../../platform/db/pool.ts';
import {
  dayOf,
  dayText,
  follows,
  type RowSource,
  readSums,
  type Spans,
  type Sum,
  storedDays,
} from '../day-sums/store.ts';

const leavingTrial = ['trial.expired', 'subscription.activated', 'subscription.canceled'] as const;
const endingDunning = [
  'payment.recovered',
  'payment.retry_failed',
  'invoice.voided',
  'credit_note.created',
] as const;

const quotedKinds = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

const listOf = (kinds: readonly string[]): string => `(${quotedKinds(kinds)})`;

/** Event types that affect the sums for trials and recoveries. */
const concerning = ['trial.started', 'subscription.past_due', ...leavingTrial, ...endingDunning];
const kinds = listOf(concerning);

/** SQL for the trials that the events in `fresh` start or end, with their previous state, new state, and changes to the daily sums. */
const trials = `
  trial_before AS (
    SELECT f."subscriptionId", min(f.position) AS position, min(${dayOf('f."occurredAt"')}) AS day, NULL::timestamptz AS "endedOn", 'open' AS outcome, TRUE AS is_new
    FROM fresh f WHERE f.kind = 'trial.started'
      AND NOT EXISTS (SELECT FROM "TrialCase" c WHERE c."environmentId" = $1 AND c."subscriptionId" = f."subscriptionId") GROUP BY 1
    UNION ALL SELECT c."subscriptionId", c.position, c.day, c."endedOn", c.outcome, FALSE FROM "TrialCase" c
    WHERE c."environmentId" = $1 AND c.outcome = 'open' AND c."subscriptionId" IN (SELECT f."subscriptionId" FROM fresh f WHERE f.kind IN ${listOf(leavingTrial)})),
  trial_after AS (
    SELECT a.*, CASE WHEN a.left_by = 'subscription.activated' THEN 'converted' WHEN a.left_by = 'subscription.canceled' THEN 'lost' ELSE 'open' END AS outcome FROM (
      SELECT b."subscriptionId", b.position, b.day, b.is_new, b."endedOn" AS was_ended, coalesce(b."endedOn", min(${dayOf('f."occurredAt"')})) AS "endedOn",
        (array_agg(f.kind ORDER BY f.position) FILTER (WHERE f.kind <> 'trial.expired'))[1] AS left_by
      FROM trial_before b LEFT JOIN fresh f ON f."subscriptionId" = b."subscriptionId" AND f.position > b.position AND f.kind IN ${listOf(leavingTrial)}
      GROUP BY b."subscriptionId", b.position, b.day, b.is_new, b."endedOn") AS a),
  trial_changes AS (
    SELECT day, 1 AS started, 0 AS ended, 0 AS converted, 0 AS lost FROM trial_after WHERE is_new
    UNION ALL SELECT "endedOn", 0, (was_ended IS NULL)::int, (outcome = 'converted')::int, (outcome = 'lost')::int FROM trial_after WHERE "endedOn" IS NOT NULL)`;

/**
 * SQL for the invoices in dunning, in the same form as the trials. The number of the successful attempt is derived from the number of
 * failed attempts before it.
 */
const recoveries = `
  recovery_before AS (
    SELECT b.*, i.currency, i.total::bigint AS "amountMinor", TRUE AS is_new FROM (
      SELECT DISTINCT ON (f."invoiceId") f."invoiceId", f."subscriptionId", f.position, f."occurredAt" AS "failedAt" FROM fresh f
      WHERE f.kind = 'subscription.past_due' AND f."invoiceId" IS NOT NULL
        AND NOT EXISTS (SELECT FROM "RecoveryCase" c WHERE c."environmentId" = $1 AND c."invoiceId" = f."invoiceId")
      ORDER BY f."invoiceId", f.position) b JOIN "Invoice" i ON i."environmentId" = $1 AND i.id = b."invoiceId"
    UNION ALL SELECT c."invoiceId", c."subscriptionId", c.position, c."failedAt", c.currency, c."amountMinor", FALSE FROM "RecoveryCase" c
    WHERE c."environmentId" = $1 AND c.outcome = 'open' AND c."invoiceId" IN (SELECT f."invoiceId" FROM fresh f WHERE f.kind IN ${listOf(endingDunning)})),
  recovery_ends AS (
    SELECT DISTINCT ON (b."invoiceId") b."invoiceId", f.kind, f.source, f."occurredAt" FROM recovery_before b
    JOIN fresh f ON f."invoiceId" = b."invoiceId" AND f."subscriptionId" = b."subscriptionId" AND f.position > b.position AND f.kind IN ${listOf(endingDunning)}
    ORDER BY b."invoiceId", f.position),
  recovery_after AS (
    SELECT b.*, ${dayOf('b."failedAt"')} AS day,
      CASE WHEN o.kind IS NULL THEN 'open' WHEN o.kind = 'payment.recovered' THEN 'recovered' WHEN o.kind = 'payment.retry_failed' THEN 'exhausted'
        WHEN EXISTS (SELECT FROM "Event" x WHERE x."environmentId" = $1 AND x."subscriptionId" = b."subscriptionId" AND x.position > b.position
          AND x.kind = 'subscription.canceled' AND x."occurredAt" = o."occurredAt") THEN 'canceled' ELSE 'voided' END AS outcome,
      CASE WHEN o.kind = 'payment.recovered' THEN CASE WHEN o.source IN ('clock', 'worker', 'provider') THEN 'retry' WHEN o.source IN ('api', 'dashboard') THEN 'hand' ELSE 'customer' END END AS maker,
      CASE WHEN o.kind = 'payment.recovered' THEN least(4, 1 + (SELECT count(*) FROM "Transaction" x WHERE x."environmentId" = $1 AND x."invoiceId" = b."invoiceId"
        AND x.status = 'failed' AND NOT x."isPayerRetry" AND x."createdAt" > b."failedAt"))::int END AS attempts
    FROM recovery_before b LEFT JOIN recovery_ends o ON o."invoiceId" = b."invoiceId"),
  recovery_changes AS (
    SELECT day, currency, outcome, maker, attempts, 1 AS count, "amountMinor" FROM recovery_after WHERE is_new OR outcome <> 'open'
    UNION ALL SELECT day, currency, 'open', NULL, NULL, -1, -"amountMinor" FROM recovery_after WHERE NOT is_new AND outcome <> 'open')`;

const trialSums = {
  table: 'TrialDay',
  keys: [],
  amounts: ['started', 'ended', 'converted', 'lost'],
  rows: 'SELECT day, started, ended, converted, lost FROM trial_changes',
  before: trials,
  writes: `trial_cases AS (INSERT INTO "TrialCase" ("environmentId", "subscriptionId", position, day, "endedOn", outcome)
    SELECT $1, "subscriptionId", position, day, "endedOn", outcome FROM trial_after
    ON CONFLICT ("environmentId", "subscriptionId") DO UPDATE SET "endedOn" = EXCLUDED."endedOn", outcome = EXCLUDED.outcome)`,
} as const satisfies Sum;

const recoverySums = {
  table: 'RecoveryDay',
  keys: ['currency', 'outcome', 'maker', 'attempts'],
  amounts: ['count', 'amountMinor'],
  rows: 'SELECT day, currency, outcome, maker, attempts, count, "amountMinor" FROM recovery_changes',
  before: recoveries,
  writes: `recovery_cases AS (INSERT INTO "RecoveryCase" ("environmentId", "invoiceId", "subscriptionId", position, "failedAt", currency, "amountMinor", outcome)
    SELECT $1, "invoiceId", "subscriptionId", position, "failedAt", currency, "amountMinor", outcome FROM recovery_after
    ON CONFLICT ("environmentId", "invoiceId") DO UPDATE SET outcome = EXCLUDED.outcome)`,
} as const satisfies Sum;

/** SQL for the cases of a figure by day, as rows to compare. `key` is an SQL expression for the currency, if any. */
const compared = (figure: string, day: string, amount: string, rows: string, key = 'NULL'): string =>
  `SELECT concat_ws(' ', ${figure}, ${dayText(day)}, ${key}) AS subject, ${amount} AS amount FROM ${rows}`;

const trialCases = '"TrialCase" WHERE "environmentId" = $1';

/**
 * Returns the SQL condition that an event of this type follows the cursor. The comparison of rows makes the planner read one entry of the index by
 * type and position. With an equality, the planner may read all events after the cursor in the order of their positions.
 */
const followsOf = (kind: string) =>
  follows('Event', `(e.kind, e.position) > ('${kind}', k.seq) AND e.kind <= '${kind}'`, 'e.kind, e.position');

/** Events that start or end a trial or dunning. A credit note ends dunning if it settles the invoice. The sums are checked by outcome. */
export const outcomeSource: RowSource = {
  name: 'outcomes',
  sums: [trialSums, recoverySums],
  derived: ['TrialCase', 'RecoveryCase'],
  table: 'Event',
  columns: 'e.position, e.kind, e."occurredAt", e.source, e."subscriptionId", e."invoiceId"',
  at: 'position',
  reached: 'seq',
  after: '>',
  order: 'e.position',
  where: `e.kind IN ${kinds} AND (e.kind <> 'credit_note.created' OR e.data ->> 'invoiceStatus' = 'paid')`,
  mostFresh: 5_000,
  counter: 'eventPosition',
  // Looks up each event type separately, so that the thousands of other events from a clock run don't slow down the query.
  hasRows: (own) => `(${concerning.map((kind) => followsOf(kind)(own)).join(' OR ')})`,
  retention: 'eventRetentionDays',
  check: {
    isOfRows: false,
    before: '',
    expected: [
      compared(`'TrialDay started'`, 'day', '1', trialCases),
      compared(
        `'TrialDay ' || outcome`,
        '"endedOn"',
        '1',
        `${trialCases} AND "endedOn" IS NOT NULL AND outcome <> 'open'`,
      ),
      compared(`'TrialDay ended'`, '"endedOn"', '1', `${trialCases} AND "endedOn" IS NOT NULL`),
      compared(
        `'RecoveryDay ' || outcome`,
        '"failedAt"',
        '"amountMinor"',
        '"RecoveryCase" WHERE "environmentId" = $1',
        'currency',
      ),
    ].join(' UNION ALL '),
    actual: [
      compared(
        `'TrialDay ' || f.figure`,
        'r.day',
        'f.amount',
        `${storedDays(trialSums)} CROSS JOIN LATERAL (VALUES ('started', started), ('ended', ended), ('converted', converted), ('lost', lost)) AS f(figure, amount)`,
      ),
      compared(`'RecoveryDay ' || outcome`, 'day', '"amountMinor"', storedDays(recoverySums), 'currency'),
    ].join(' UNION ALL '),
  },
};

/** Counts of free trials in one bucket. */
export type TrialRow = TrialCounts & { readonly span: number };

/** Reads free trials by bucket. Runs one SQL statement. */
export async function readTrials(sql: Query, spans: Spans): Promise<TrialRow[]> {
  const found = await readSums(sql, outcomeSource, trialSums, spans);
  return found.map(({ span, amounts: [started = 0n, ended = 0n, converted = 0n, lost = 0n] }) => ({
    span,
    started,
    ended,
    converted,
    lost,
  }));
}

/** Invoices whose payment first failed in one bucket, by currency and outcome. Amounts are in minor units. */
export type RecoveryRow = {
  readonly span: number;
  readonly currency: string;
  readonly outcome: RecoveryOutcome;
  readonly maker: RecoveryMaker | null;
  readonly attempts: number | null;
  readonly count: number;
  readonly amount: bigint;
};

/**
 * Reads invoices in dunning with their outcomes, by the bucket of their first failed payment. Runs one SQL statement.
 */
export async function readRecovery(sql: Query, spans: Spans): Promise<RecoveryRow[]> {
  const found = await readSums<readonly (string | null)[]>(sql, outcomeSource, recoverySums, spans);
  return found.map(
    ({ span, keys: [currency, outcome, maker, attempts = null], amounts: [count = 0n, amount = 0n] }) => ({
      span,
      currency: currency ?? '',
      // The columns contain only values of these types, so the casts are safe.
      outcome: outcome as RecoveryOutcome,
      maker: (maker ?? null) as RecoveryMaker | null,
      attempts: attempts === null ? null : Number(attempts),
      count: Number(count),
      amount,
    }),
  );
}
