import {
  nameOfGauge,
  type SharedChange,
  type SharedGaugeName,
  type SharedGaugeRow,
} from '../../domain/limits/shared.ts';
import { signedDecimal } from '../../domain/rates/decimal.ts';
import { type Exact, exactText, minus } from '../../domain/rates/exact.ts';
import type { WritePart } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import { orRaise } from '../../platform/db/raised-errors.ts';
import { wakePartIf } from '../../platform/queue/lease.ts';
import { lookAt } from './row-sets.ts';
import { hashValue } from './value-hash.ts';

// Gauges that several customers share (LIM-91). Usage adds to them without reading them: the addition is the last lock before the
// environment's counter, and fails if it doesn't fit. Batches that are decided exactly lock the gauges first.

/** Shared gauges to read, and the customers whose due holds are decided in the same transaction. */
export type SharedNeeds = {
  readonly names: readonly SharedGaugeName[];
  readonly customerIds: readonly string[];
  readonly now: Date;
};

export type ReadShared = (needs: SharedNeeds) => Promise<ReadonlyMap<string, SharedGaugeRow>>;

/** ID of a gauge. Keys can be too long for an index. */
export const sharedGaugeId = ({ nodeId, key }: SharedGaugeName): string => `${nodeId}:${hashValue(key)}`;

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

const identified = <T extends SharedGaugeName>(names: Iterable<T>): (T & { readonly id: string })[] =>
  [...names].map((name) => ({ ...name, id: sharedGaugeId(name) })).toSorted(byId);

/** Creates the gauges that don't exist. The window opens with the first movement. */
export async function createMissing(sql: Query, names: Iterable<SharedGaugeName>): Promise<void> {
  const gauges = identified(names);
  if (gauges.length === 0) return;
  await sql(
    `INSERT INTO "SharedGauge" ("environmentId", id, "nodeId", key, start, used, held, peak, "heldPeak", "sentPeak", "sentHeldPeak",
       rejected, reached, ended, "isCounting")
     SELECT a."environmentId", r.id, r.node, r.key, 0, 0, 0, 0, 0, 0, 0, '[]', '[]', '[]', false
     FROM "EnvironmentCounter" a CROSS JOIN unnest($2::text[], $3::text[], $4::text[]) AS r(id, node, key) WHERE a."environmentId" = $1
     ON CONFLICT ("environmentId", id) DO NOTHING`,
    [
      textArray(gauges.map(({ id }) => id)),
      textArray(gauges.map(({ nodeId }) => nodeId)),
      textArray(gauges.map(({ key }) => key)),
    ],
  );
}

const columns = `"nodeId", key, start, "end", used::text AS used, held::text AS held, "isCounting", rejected`;

type StoredRow = Omit<SharedGaugeRow, keyof Span> & Span;

type Span = {
  readonly start: bigint;
  readonly end: bigint | null;
};

const readWith = (lock: string): string =>
  `SELECT t.* FROM unnest($2::text[]) AS named(id) ${lookAt('SharedGauge', 'named.id', columns, lock)} t`;
const reading = readWith('');
const locking = readWith('FOR UPDATE');

// Amounts of due holds whose expiry hasn't been written. Their customers can't be locked anymore.
const dueSums = `SELECT n.key AS "nodeId", g.key, sum(g.value::numeric)::text AS held
   FROM "UsageHold" h CROSS JOIN LATERAL jsonb_each(h.gauges) n CROSS JOIN LATERAL jsonb_each_text(n.value) g
   WHERE h."environmentId" = $1 AND h."dueAt" <= $2 AND n.key = ANY($3::text[]) AND h."customerId" <> ALL($4::text[]) GROUP BY 1, 2`;

/** Returns the rows without the amounts of due holds, so that an expired hold never causes a rejection (LIM-60). */
async function withoutDue(
  sql: Query,
  rows: readonly StoredRow[],
  { customerIds, now }: SharedNeeds,
): Promise<readonly StoredRow[]> {
  const nodes = rows.filter(({ held }) => Number(held) !== 0).map(({ nodeId }) => nodeId);
  if (nodes.length === 0) return rows;
  const due = await sql<SharedGaugeName & { readonly held: string }>(dueSums, [
    now,
    textArray(nodes),
    textArray(customerIds),
  ]);
  const sums = new Map(due.map((row) => [nameOfGauge(row), signedDecimal(row.held)]));
  return rows.map((row) => {
    const sum = sums.get(nameOfGauge(row));
    return sum === undefined ? row : { ...row, held: exactText(minus(signedDecimal(row.held), sum)) };
  });
}

async function read(
  sql: Query,
  needs: SharedNeeds,
  text: string,
): Promise<ReadonlyMap<string, SharedGaugeRow>> {
  const ids = textArray(identified(needs.names).map(({ id }) => id));
  const rows = await withoutDue(sql, await sql<StoredRow>(text, [ids]), needs);
  return new Map(
    rows.map((row) => [
      nameOfGauge(row),
      { ...row, start: Number(row.start), end: row.end === null ? null : Number(row.end) },
    ]),
  );
}

/** Reads gauges without locks. */
export const readShared = (sql: Query, needs: SharedNeeds): Promise<ReadonlyMap<string, SharedGaugeRow>> =>
  read(sql, needs, reading);

/** Locks and reads gauges, in order of their IDs. Creates the gauges that don't exist. The accounts of the customers must be locked. */
export async function lockShared(
  sql: Query,
  needs: SharedNeeds,
): Promise<ReadonlyMap<string, SharedGaugeRow>> {
  await createMissing(sql, needs.names);
  return read(sql, needs, locking);
}

/** SQL: the movements belong to a window after the stored window. */
const isNew = 'coalesce(r.start > t.start, false)';
const used = `CASE WHEN ${isNew} THEN 0 ELSE t.used END + r.used`;
const held = 'greatest(0, t.held + r.held)';
const taken = `${used} + ${held}`;
// Highest values in the window before the movements.
const peak = `CASE WHEN ${isNew} THEN 0 ELSE t.peak END`;
const heldPeak = `CASE WHEN ${isNew} THEN t.held ELSE t."heldPeak" END`;

const crosses = (levels: string, from: string, to: string): string =>
  `EXISTS (SELECT FROM jsonb_array_elements_text(${levels}) AS l(v) WHERE l.v::numeric > ${from} AND l.v::numeric <= ${to})`;
const isCrossed = `(NOT t."isCounting" OR ${isNew}) AND (
     ${crosses('r."usedLevels"', peak, used)} OR ${crosses('r."takenLevels"', heldPeak, taken)}
     OR jsonb_array_length(r.rejected) > 0)`;

// Concatenates texts, because functions that build JSON don't always return the same result.
const endedText = `('[{"start":' || t.start::text || ',"end":' || coalesce(t."end"::text, 'null') || ',"peak":"' || t.peak::text
       || '","heldPeak":"' || t."heldPeak"::text || '","sentPeak":"' || t."sentPeak"::text || '","sentHeldPeak":"' || t."sentHeldPeak"::text
       || '","rejected":' || t.rejected::text || ',"reached":' || t.reached::text || '}]')::jsonb`;

// The addition is guarded: the sum after each movement that adds to the gauge must fit.
const addition = (isGuarded: boolean): string => `WITH change AS MATERIALIZED (
     SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[],
       $9::jsonb[], $10::jsonb[], $11::jsonb[]) AS r(id, start, "end", used, held, rise, most, "usedLevels", "takenLevels", rejected)),
   locked AS MATERIALIZED (SELECT 1 FROM change r ${lookAt('SharedGauge', 'r.id', '1', 'FOR UPDATE')} t),
   added AS (UPDATE "SharedGauge" t SET
     start = CASE WHEN ${isNew} THEN r.start ELSE t.start END, "end" = CASE WHEN ${isNew} THEN r."end" ELSE t."end" END,
     used = ${used}, held = ${held},
     peak = greatest(${peak}, ${used}), "heldPeak" = greatest(${heldPeak}, ${taken}),
     "sentPeak" = CASE WHEN ${isNew} THEN 0 ELSE t."sentPeak" END,
     "sentHeldPeak" = CASE WHEN ${isNew} THEN t.held ELSE t."sentHeldPeak" END,
     rejected = CASE WHEN ${isNew} THEN r.rejected WHEN jsonb_array_length(r.rejected) > 0 THEN t.rejected || r.rejected ELSE t.rejected END,
     reached = CASE WHEN ${isNew} THEN '[]' ELSE t.reached END,
     ended = CASE WHEN ${isNew} AND t."crossedAt" IS NOT NULL THEN t.ended || ${endedText} ELSE t.ended END,
     "crossedAt" = CASE WHEN ${isCrossed} THEN coalesce(t."crossedAt", $12::timestamptz) ELSE t."crossedAt" END,
     "isCounting" = t."isCounting" AND NOT ${isNew}
   FROM change r WHERE t."environmentId" = $1 AND t.id = r.id AND (SELECT count(*) FROM locked) >= 0
     ${
       isGuarded
         ? `AND (r.start IS NULL OR r.start >= t.start) AND (r.rise IS NULL OR r.most IS NULL OR (t."isCounting" AND NOT ${isNew})
            OR CASE WHEN ${isNew} THEN 0 ELSE t.used END + t.held + r.rise <= r.most)`
         : ''
     } RETURNING 1)
   SELECT ${isGuarded ? orRaise('(SELECT count(*) FROM added) = (SELECT count(*) FROM change)', 'limitMoved') : '(SELECT count(*) FROM added)'} AS added`;
const guarded = addition(true);
const unguarded = addition(false);

const amountText = (amount: Exact | null): string | null => (amount === null ? null : exactText(amount));

const timeText = (at: number | null): string | null => (at === null ? null : `${at}`);

const levelsText = (levels: readonly Exact[]): string => JSON.stringify(levels.map(exactText));

/**
 * Returns the statement that adds changes to shared gauges. Must be the last statement before the statement that takes numbers. If
 * `isGuarded` is true, raises `limitMoved` unless all changes fit. Otherwise the gauges must be locked, or the changes always fit.
 */
export function sharedPart(changes: Iterable<SharedChange>, now: Date, isGuarded: boolean): WritePart {
  const rows = identified(changes);
  return {
    text: isGuarded ? guarded : unguarded,
    params: [
      textArray(rows.map(({ id }) => id)),
      textArray(rows.map(({ start }) => timeText(start))),
      textArray(rows.map(({ end }) => timeText(end))),
      textArray(rows.map((row) => exactText(row.used))),
      textArray(rows.map((row) => exactText(row.held))),
      textArray(rows.map(({ rise }) => amountText(rise))),
      textArray(rows.map(({ most }) => (most === null ? null : `${most}`))),
      textArray(rows.map(({ usedLevels }) => levelsText(usedLevels))),
      textArray(rows.map(({ takenLevels }) => levelsText(takenLevels))),
      textArray(rows.map(({ rejected }) => JSON.stringify(rejected))),
      now.toISOString(),
    ],
  };
}

/** Returns the statement that wakes the worker if the gauges have crossings to report. Must be the last statement. */
export const wakeForCrossings = (changes: Iterable<SharedChange>, now: Date): WritePart =>
  wakePartIf(
    now,
    `EXISTS (SELECT FROM "SharedGauge" WHERE "environmentId" = $1 AND id = ANY($3::text[]) AND "crossedAt" IS NOT NULL)`,
    [textArray(identified(changes).map(({ id }) => id))],
  );

const isCurrent = `EXISTS (SELECT FROM "EnvironmentCounter" WHERE "environmentId" = $1 AND "limitVersion" = $2)`;

/**
 * Returns the statement that raises `staleSnapshot` if limits were changed. After the environment's counter is locked, no usage is
 * stored that a new limit doesn't count.
 */
export const limitVersionPart = (version: string): WritePart => ({
  text: `SELECT ${orRaise(isCurrent, 'staleSnapshot')} AS holds`,
  params: [version],
});
