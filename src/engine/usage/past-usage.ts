import { gaugeKey } from '../../domain/limits/gauge.ts';
import type { LimitRow, StoredGauges } from '../../domain/limits/limit.ts';
import { canIncludePast, type PastEvent, pastFrom, pastGauge } from '../../domain/limits/past-usage.ts';
import { assetOf, poolOfStored } from '../../domain/pricing/pools.ts';
import { signedDecimal } from '../../domain/rates/decimal.ts';
import { ratio } from '../../domain/rates/exact.ts';
import { boundOf } from '../../domain/rows/period-bound.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import { unitScale } from '../../domain/usage/metered-terms.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { TransactionContext } from '../../request/context.ts';
import { loadUsageDetails } from './load.ts';

/** Maximum number of events that a new limit sums. */
export const mostPastEvents = 100_000;

type Stored = Pick<
  Row<'UsageEvent'>,
  | 'subscriptionId'
  | 'value'
  | 'units'
  | 'price'
  | 'deducted'
  | 'asset'
  | 'consumptionModel'
  | 'properties'
  | 'createdAt'
> & { readonly code: string; readonly currency: string };

/** Reads the events of a customer, or of budgets, from a time, without corrected events. Reads one event more than can be summed. */
const readEvents = (
  tx: TransactionContext,
  customerId: string,
  budgetIds: readonly string[] | null,
  from: Date,
): Promise<Stored[]> =>
  tx.sql<Stored>(
    `SELECT e."subscriptionId", e.value, e.units, e.price, e.deducted, e.asset, e."consumptionModel", e.properties, e."createdAt",
       f.code, s.currency
     FROM (SELECT * FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2 AND "createdAt" >= $3
       AND ($4::text[] IS NULL OR "budgetId" = ANY($4)) ORDER BY "createdAt", seq LIMIT ${mostPastEvents + 1}) e
     JOIN "Feature" f ON f."environmentId" = $1 AND f.id = e."featureId"
     JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = e."subscriptionId"
     WHERE NOT EXISTS (SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id)
     ORDER BY e."createdAt", e.seq`,
    [customerId, from, budgetIds],
  );

function eventsOf(stored: readonly Stored[], scaleOf: (code: string) => bigint): PastEvent[] {
  return stored.map((event): PastEvent => {
    const pool = poolOfStored(event);
    return {
      at: event.createdAt,
      featureCode: event.code,
      properties: event.properties,
      units: event.units === null ? ratio(event.value, 1n) : ratio(event.units, scaleOf(event.code)),
      price: event.price === null ? null : signedDecimal(event.price),
      currency: event.currency,
      deducted: event.deducted,
      asset: pool === null ? null : assetOf(pool, event.currency),
    };
  });
}

/** Returns true if another limit of the node has the same value, or a template that can apply to the node. */
async function isShared(tx: TransactionContext, limit: Omit<LimitRow, 'id' | 'setBy'>): Promise<boolean> {
  const [own, templates] = await Promise.all([
    tx.db.limit.findMany({ where: { customerId: limit.customerId, deletedAt: null } }),
    tx.db.limit.findMany({ where: { customerId: null, deletedAt: null } }),
  ]);
  const key = gaugeKey(limit);
  return [...own, ...templates].some(
    (other) => gaugeKey(other) === key && (other.each !== null || other.budgetKey === limit.budgetKey),
  );
}

/** Node of a new limit. `budgetIds` contains the budget and the budgets below it. `null` if the node is the customer. */
export type PastNode = { readonly id: string; readonly budgetIds: readonly string[] | null };

/**
 * Adds past usage of the open window to the value of a new limit, unless the value is shared with another limit. The customer must be
 * locked. Returns `false` if the limit begins with its creation, because its window can't include past usage or contains too many events.
 */
export async function includePastUsage(
  tx: TransactionContext,
  limit: Omit<LimitRow, 'id' | 'setBy'>,
  node: PastNode,
  timeZone: string,
): Promise<boolean> {
  const { customerId } = limit;
  const now = tx.clock.now();
  if (customerId === null || !canIncludePast(limit, now)) return false;
  const codes = limit.filter.features;
  const details = await loadUsageDetails(tx, {
    customers: [customerId],
    featureCodes: codes,
    eventIds: [],
    models: [],
  });
  const subscription = details.subscriptions.get(customerId);
  if (subscription === undefined) return true;
  const span = {
    start: boundOf(subscription, subscription.windowStart).getTime(),
    end: boundOf(subscription, subscription.windowEnd).getTime(),
  };
  const windows = { timeZone, usageWindow: span, billingPeriod: span };
  const stored = await readEvents(tx, customerId, node.budgetIds, pastFrom(limit, windows, now));
  if (stored.length > mostPastEvents) return false;
  const book = new UsageBook(details);
  const scaleOf = (code: string): bigint => {
    const subject = book.subjectOf(customerId, code);
    return 'code' in subject ? 1n : unitScale(subject.terms);
  };
  const gauge = pastGauge(limit, eventsOf(stored, scaleOf), windows, now);
  if (gauge === null) return true;
  const state = await tx.db.limitState.findFirst({ where: { id: node.id } });
  const key = gaugeKey(limit);
  if (state?.gauges[key] !== undefined && (await isShared(tx, limit))) return true;
  const gauges: StoredGauges = { ...state?.gauges, [key]: gauge };
  if (state === null)
    await tx.db.limitState.create({ data: { id: node.id, customerId, gauges, reached: {} } });
  else await tx.db.limitState.update({ where: { id: node.id }, data: { gauges } });
  return true;
}
