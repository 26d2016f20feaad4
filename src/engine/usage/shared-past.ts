import { gaugeKey } from '../../domain/limits/gauge.ts';
import { isShared, type LimitRow } from '../../domain/limits/limit.ts';
import { pastDelta } from '../../domain/limits/past-usage.ts';
import {
  nameOfGauge,
  organizationNode,
  type SharedGaugeName,
  sharedGauges,
} from '../../domain/limits/shared.ts';
import { spanAt } from '../../domain/limits/windows.ts';
import { latestDecimals, type MeterVersion } from '../../domain/meters/meter.ts';
import { assetOf, poolOfStored } from '../../domain/pricing/pools.ts';
import { powerOfTen, signedDecimal } from '../../domain/rates/decimal.ts';
import { dividedBy, type Exact, exactText, minus, plus, whole, zero } from '../../domain/rates/exact.ts';
import { minuteMs } from '../../domain/time/period.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import { lockCounter } from '../../platform/db/locks.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { wakeEnvironment } from '../../platform/queue/lease.ts';
import type { Context, TransactionContext } from '../../request/context.ts';
import { hintWork, inTransaction } from '../../request/transaction.ts';
import { createMissing, sharedGaugeId } from './shared-gauges.ts';

// Past usage of new limits of the organization and of plans, which the worker adds (LIM-38).

type NewLimit = Omit<LimitRow, 'id' | 'setBy'>;

const countedKinds: ReadonlySet<string> = new Set(['day', 'week', 'month']);

/** Windows of the organization and of plans don't depend on customers. */
const noWindows = {
  timeZone: 'UTC',
  usageWindow: { start: 0, end: null },
  billingPeriod: { start: 0, end: null },
};

/**
 * Prepares the gauges of a new limit of the organization or a plan. Returns true if the limit includes past usage of the open window,
 * which the worker counts. Must run before the environment's counter is locked.
 */
export async function openShared(tx: TransactionContext, limit: NewLimit): Promise<boolean> {
  const now = tx.clock.now();
  const { planId, window, amounts, validFrom } = limit;
  const isCounted = countedKinds.has(window.kind) && validFrom <= now;
  const currencies =
    amounts.length === 0
      ? []
      : await tx.sql<{ currency: string }>(
          'SELECT DISTINCT currency FROM "Subscription" WHERE "environmentId" = $1',
        );
  const others = await tx.db.limit.findMany({
    where: { customerId: null, each: null, planId, deletedAt: null },
  });
  const listed = [...new Set([...amounts, ...currencies].map(({ currency }) => currency))];
  const namesOf = (limits: readonly LimitRow[]): SharedGaugeName[] =>
    sharedGauges(limits, planId === null ? [] : [planId], listed);
  const known = new Set(namesOf(others).map(nameOfGauge));
  const names = namesOf([{ ...limit, id: '', setBy: 'merchant' }]).filter(
    (name) => !known.has(nameOfGauge(name)),
  );
  await createMissing(tx.sql, names);
  const span = spanAt(window, noWindows, now.getTime(), null);
  await tx.sql(
    `UPDATE "SharedGauge" SET start = $3, "end" = $4, used = 0, peak = 0, "heldPeak" = held, "sentPeak" = 0, "sentHeldPeak" = held,
       rejected = '[]', reached = '[]', ended = '[]', "crossedAt" = NULL, "isCounting" = $5 WHERE "environmentId" = $1 AND id = ANY($2::text[])`,
    [textArray(names.map(sharedGaugeId)), span?.start ?? 0, span?.end ?? null, isCounted],
  );
  return isCounted;
}

/** Wakes the worker, which counts past usage. Must be the last statement of the transaction. */
export async function wakeForShared(tx: TransactionContext): Promise<void> {
  await wakeEnvironment(tx.transaction.query, tx.environment.id, tx.wall.now());
  hintWork(tx);
}

/** Sums of past events of a feature with the same currency and asset. */
type PastSum = Pick<Row<'UsageEvent'>, 'asset' | 'consumptionModel'> & {
  readonly code: string;
  readonly meters: readonly MeterVersion[];
  readonly currency: string;
  readonly count: number;
  readonly units: string | null;
  readonly value: string | null;
  readonly price: string | null;
  readonly deducted: bigint | null;
};

/** SQL: an event is charged at least in part. */
const isCounted = (event: string): string =>
  `(${event}.units IS DISTINCT FROM 0 OR NOT coalesce(${event}.hold ? 'uncounted', false))`;

// The first settlement of a hold is its call. Joins the hold IDs, so that the database can use a hash join.
const isCall = `(e.hold IS NULL OR (${isCounted('e')} AND NOT EXISTS (SELECT FROM "UsageEvent" p WHERE p."environmentId" = $1
     AND p.hold->>'id' = e.hold->>'id' AND p.seq < e.seq AND p."createdAt" >= $2 AND ${isCounted('p')})))`;

const sums = (
  source: string,
): string => `SELECT f.code, f.meters, s.currency, e."consumptionModel", e.asset, (count(*) FILTER (WHERE ${isCall}))::int AS count,
     sum(e.units)::text AS units, (sum(e.value) FILTER (WHERE e.units IS NULL))::text AS value, sum(e.price::numeric)::text AS price,
     sum(e.deducted)::bigint AS deducted
   FROM ${source} JOIN "Feature" f ON f."environmentId" = $1 AND f.id = e."featureId"
   JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = e."subscriptionId"
   WHERE e."environmentId" = $1 AND e."createdAt" >= $2 AND ($3::text IS NULL OR s."planId" = $3) AND ($4::text[] = '{}' OR f.code = ANY($4::text[]))
     AND NOT EXISTS (SELECT FROM jsonb_array_elements($5::jsonb) d WHERE NOT EXISTS (
       SELECT FROM jsonb_array_elements(e.properties) p WHERE p->>'property' = d->>'property' AND d->'values' ? (p->>'value')))`;
const groups = 'GROUP BY f.id, f.code, f.meters, s.currency, e."consumptionModel", e.asset';
const corrected = `SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id`;

// Events up to a number without events that were corrected up to it, events after it, and events up to it that were corrected after it.
const upTo = `${sums('"UsageEvent" e')} AND e.seq <= $6 AND NOT EXISTS (${corrected} AND c.seq <= $6) ${groups}`;
const after = `${sums('"UsageEvent" e')} AND e.seq > $6 AND e."createdAt" >= $7 AND NOT EXISTS (${corrected}) ${groups}`;
const undone = `${sums('"UsageCorrection" c JOIN "UsageEvent" e ON e."environmentId" = $1 AND e.id = c."usageEventId"')}
   AND c."environmentId" = $1 AND c.seq > $6 AND e.seq <= $6 ${groups}`;

/** Returns the sum of past events as a limit measures them. */
function measured(limit: LimitRow, found: readonly PastSum[]): Exact {
  return found.reduce((sum, group) => {
    const { code, currency, count, price, deducted } = group;
    if (limit.measure === 'calls') return plus(sum, whole(BigInt(count)));
    const pool = poolOfStored(group);
    const scaled = dividedBy(signedDecimal(group.units ?? '0'), powerOfTen(latestDecimals(group)));
    const delta = pastDelta(
      { ...limit, filter: { features: [], dimensions: [] } },
      {
        at: new Date(0),
        featureCode: code,
        properties: [],
        units: plus(scaled, signedDecimal(group.value ?? '0')),
        price: price === null ? null : signedDecimal(price),
        currency,
        deducted,
        asset: pool === null ? null : assetOf(pool, currency),
        isCall: true,
      },
    );
    return delta === null ? sum : plus(sum, delta);
  }, zero);
}

type Counting = SharedGaugeName & { readonly id: string; readonly start: bigint };

const firstCounting = `SELECT id, "nodeId", key, start FROM "SharedGauge" WHERE "environmentId" = $1 AND "isCounting" ORDER BY id LIMIT 1`;

/** Returns the currency in the key of a gauge. */
const currencyOf = (key: string): string => String((JSON.parse(key) as unknown[])[1]);

/** Returns the limit of a gauge in the gauge's currency. `null` if all its limits were deleted. */
async function limitOf(ctx: Context, { nodeId, key }: Counting): Promise<LimitRow | null> {
  const planId = nodeId === organizationNode ? null : nodeId;
  const limits = await ctx.db.limit.findMany({
    where: { customerId: null, each: null, planId, deletedAt: null },
  });
  for (const limit of limits.filter(isShared)) {
    const own = limit.amounts.length === 0 ? limit : { ...limit, currency: currencyOf(key) };
    if (gaugeKey(own) === key) return own;
  }
  return null;
}

/** Time before the cut at which events that are stored after the cut can have been recorded, in milliseconds. */
const longestMs = 10 * minuteMs;

/**
 * Adds the past usage of the open window to a gauge. First sums the events that are stored. Then locks the gauge and the environment's
 * counter, so that no usage is stored, and adds the events since.
 */
export async function countPast(ctx: Context): Promise<void> {
  const [gauge] = await ctx.sql<Counting>(firstCounting);
  if (gauge === undefined) return;
  const limit = await limitOf(ctx, gauge);
  const cutAt = ctx.clock.now();
  const [counter] = await ctx.sql<{ seq: bigint }>(
    'SELECT seq FROM "EnvironmentCounter" WHERE "environmentId" = $1',
  );
  const { nodeId, start } = gauge;
  const params = [
    new Date(Number(start)),
    nodeId === organizationNode ? null : nodeId,
    textArray(limit?.filter.features ?? []),
    JSON.stringify(limit?.filter.dimensions ?? []),
    counter?.seq ?? 0n,
  ];
  const sumOf = async (sql: Query, text: string, more: readonly unknown[] = []): Promise<Exact> =>
    limit === null ? zero : measured(limit, await sql<PastSum>(text, [...params, ...more]));
  const before = await sumOf(ctx.sql, upTo);
  await inTransaction(ctx, async (tx) => {
    const [locked] = await tx.sql<{ start: bigint; isCounting: boolean }>(
      'SELECT start, "isCounting" FROM "SharedGauge" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE',
      [gauge.id],
    );
    if (locked?.isCounting !== true || locked.start !== start) return;
    await lockCounter(tx.sql);
    const since = await sumOf(tx.sql, after, [new Date(cutAt.getTime() - longestMs)]);
    const used = exactText(minus(plus(before, since), await sumOf(tx.sql, undone)));
    await tx.sql(
      `UPDATE "SharedGauge" SET used = $3::numeric, peak = $3::numeric, "sentPeak" = $3::numeric, "heldPeak" = held + $3::numeric,
         "sentHeldPeak" = held + $3::numeric, "isCounting" = false WHERE "environmentId" = $1 AND id = $2`,
      [gauge.id, used],
    );
  });
}
