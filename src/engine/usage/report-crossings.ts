import type { Tried } from '../../domain/limits/admission.ts';
import { mostOf } from '../../domain/limits/admission.ts';
import { type Crossing, crossingRow } from '../../domain/limits/crossings.ts';
import { sharedCrossingEvents } from '../../domain/limits/events.ts';
import { gaugeKey } from '../../domain/limits/gauge.ts';
import type { EndedGauge } from '../../domain/limits/limit.ts';
import { crossedBy, thresholdsOf } from '../../domain/limits/thresholds.ts';
import { signedDecimal } from '../../domain/rates/decimal.ts';
import { compare, type Exact, whole } from '../../domain/rates/exact.ts';
import { takeNumbers } from '../../outbox/write.ts';
import { inserting } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import { newId } from '../../platform/ids.ts';
import type { Context, TransactionContext } from '../../request/context.ts';
import { inTransaction, recordEvents } from '../../request/transaction.ts';
import { readCommonLimits } from './limit-templates.ts';
import { valuesOfShared } from './shared-values.ts';

// Crossings of limits of the organization and of plans (ALR-14). Usage only notes that a gauge has crossings, and the worker reports them.

/** Gauge with crossings to report. */
type CrossedGauge = EndedGauge & {
  readonly id: string;
  readonly nodeId: string;
  readonly key: string;
  readonly ended: readonly EndedGauge[];
};

/** Maximum number of gauges whose crossings are reported in one transaction. */
const mostGauges = 100;

const lockCrossed = `SELECT id, "nodeId", key, start::float8 AS start, "end"::float8 AS "end",
     peak::text AS peak, "heldPeak"::text AS "heldPeak", "sentPeak"::text AS "sentPeak", "sentHeldPeak"::text AS "sentHeldPeak", rejected, reached, ended
   FROM "SharedGauge" WHERE "environmentId" = $1 AND "crossedAt" IS NOT NULL ORDER BY id LIMIT ${mostGauges} FOR UPDATE`;

/** Returns the crossings of a limit in a window that weren't reported. */
function crossingsIn(found: Tried, window: EndedGauge): Crossing[] {
  const { limit } = found;
  const isBlocking = limit.action === 'block';
  const value = signedDecimal(isBlocking ? window.heldPeak : window.peak);
  const before = signedDecimal(isBlocking ? window.sentHeldPeak : window.sentPeak);
  const gauge = { ...found.gauge, span: { start: window.start, end: window.end } };
  const tried = { ...found, gauge };
  const most = mostOf(tried);
  const crossed = crossedBy(thresholdsOf(limit), most, { before, peak: before, after: value });
  const threshold: Crossing[] =
    crossed.length === 0 ? [] : [{ kind: 'threshold', tried, value, crossed, cause: 'amount' }];
  if (most === null || window.reached.includes(limit.id)) return threshold;
  const isRejected = window.rejected.includes(limit.id);
  const isReached = compare(before, whole(most)) < 0 && compare(value, whole(most)) >= 0;
  const reached = (of: Exact, cause: Crossing['cause']): Crossing => ({
    kind: 'reached',
    tried,
    value: of,
    crossed: [whole(most)],
    cause,
  });
  if (isReached) return [...threshold, reached(value, 'amount')];
  return isRejected ? [...threshold, reached(value, 'rejected')] : threshold;
}

async function report(tx: TransactionContext): Promise<void> {
  const gauges = await tx.sql<CrossedGauge>(lockCrossed);
  if (gauges.length === 0) return;
  const now = tx.clock.now();
  const values = await valuesOfShared(tx, await readCommonLimits(tx));
  const found = gauges.map((gauge) => {
    const own = values.filter(({ limit, node }) => node.id === gauge.nodeId && gaugeKey(limit) === gauge.key);
    const crossings = [...gauge.ended, gauge].flatMap((window) =>
      own.flatMap((one) => crossingsIn(one, window)),
    );
    const reached = new Set(gauge.reached);
    for (const { kind, tried } of crossings)
      if (kind === 'reached' && tried.gauge.span?.start === gauge.start) reached.add(tried.limit.id);
    return { id: gauge.id, crossings, reached: [...reached] };
  });
  await tx.sql(
    `UPDATE "SharedGauge" t SET "sentPeak" = t.peak, "sentHeldPeak" = t."heldPeak", reached = r.reached, ended = '[]', "crossedAt" = NULL
     FROM unnest($2::text[], $3::jsonb[]) AS r(id, reached) WHERE t."environmentId" = $1 AND t.id = r.id`,
    [textArray(found.map(({ id }) => id)), textArray(found.map(({ reached }) => JSON.stringify(reached)))],
  );
  const crossings = found.flatMap((one) => one.crossings);
  if (crossings.length === 0) return;
  const { length } = crossings;
  const { query } = tx.transaction;
  const { seq, position } = await takeNumbers(query, tx.environment.id, { seq: length, positions: length });
  const rows = crossings.map((crossing, index) => ({
    ...crossingRow(crossing, now, newId),
    seq: seq + BigInt(index),
  }));
  await inserting('LimitCrossing', rows).run(tx.sql);
  const events = sharedCrossingEvents(crossings).map((event) => ({
    ...event,
    customerId: null,
    occurredAt: now,
  }));
  await recordEvents(tx, events, position);
}

/** Reports the crossings of shared gauges: stores them, and sends the events. */
export const reportCrossings = (ctx: Context): Promise<void> => inTransaction(ctx, report);
