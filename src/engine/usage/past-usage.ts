import type { HoldRow } from '../../domain/holds/hold.ts';
import { beginnings, type LimitNode, limitsOf } from '../../domain/limits/admission.ts';
import { inCurrency } from '../../domain/limits/currencies.ts';
import { gaugeKey } from '../../domain/limits/gauge.ts';
import type { LimitRow, StoredGauges } from '../../domain/limits/limit.ts';
import {
  canIncludePast,
  hasOwnGauge,
  type PastEvent,
  pastDays,
  pastFrom,
  pastGauge,
  renewedGauge,
} from '../../domain/limits/past-usage.ts';
import type { WindowDetails } from '../../domain/limits/windows.ts';
import { assetOf, poolOfStored } from '../../domain/pricing/pools.ts';
import { signedDecimal } from '../../domain/rates/decimal.ts';
import { type Exact, exactText, isZero, plus, ratio, zero } from '../../domain/rates/exact.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import { heldBy } from '../../domain/usage/held-movement.ts';
import { unitScale } from '../../domain/usage/metered-terms.ts';
import { isCalculated, limited } from '../../domain/usage/usage-limits.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { TransactionContext } from '../../request/context.ts';
import { withStoredParts } from './cells.ts';
import { loadUsageDetails } from './load.ts';

/** Maximum number of events that a new limit sums. */
const mostPastEvents = 100_000;

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
  | 'hold'
  | 'sourceEventId'
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
    `SELECT e."subscriptionId", e.value, e.units, e.price, e.deducted, e.asset, e."consumptionModel", e.properties, e.hold, e."sourceEventId", e."createdAt",
       f.code, s.currency
     FROM (SELECT * FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2 AND "createdAt" >= $3
       AND ($4::text[] IS NULL OR "budgetId" = ANY($4)) ORDER BY "createdAt", seq LIMIT ${mostPastEvents + 1}) e
     JOIN "Feature" f ON f."environmentId" = $1 AND f.id = e."featureId"
     JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = e."subscriptionId"
     WHERE NOT EXISTS (SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id)
     ORDER BY e."createdAt", e.seq`,
    [customerId, from, budgetIds],
  );

/** Returns stored events as limits count them. Events of features that count other features are calls only if `countsSourced` is true. */
function eventsOf(
  stored: readonly Stored[],
  scaleOf: (code: string) => bigint,
  countsSourced: boolean,
): PastEvent[] {
  const settled = new Set<string>();
  return stored.map((event): PastEvent => {
    const pool = poolOfStored(event);
    const { hold } = event;
    const isOwn = event.sourceEventId === null || countsSourced;
    const isCounted = isOwn && (event.units !== 0n || hold?.uncounted === undefined);
    const isCall = isCounted && (hold === null || !settled.has(hold.id));
    if (hold !== null && isCall) settled.add(hold.id);
    return {
      at: event.createdAt,
      featureCode: event.code,
      properties: event.properties,
      units: event.units === null ? ratio(event.value, 1n) : ratio(event.units, scaleOf(event.code)),
      price: event.price === null ? null : signedDecimal(event.price),
      currency: event.currency,
      deducted: event.deducted,
      asset: pool === null ? null : assetOf(pool, event.currency),
      isCall,
    };
  });
}

/** Returns the time from which other limits of a node count the value of a new limit. `null` if no other limit has the same value. */
async function sharedSince(
  tx: TransactionContext,
  limit: NewLimit,
  node: LimitNode,
  planId: string,
): Promise<number | null> {
  const rows = await tx.db.limit.findMany({
    where: { OR: [{ customerId: limit.customerId }, { customerId: null }], deletedAt: null },
  });
  return beginnings(limitsOf(rows, node, planId, tx.clock.now())).get(gaugeKey(limit)) ?? null;
}

/** Node of a new limit. `budgetIds` contains the budget and the budgets below it. `null` if the node is the customer. */
export type PastNode = { readonly id: string; readonly budgetIds: readonly string[] | null };

type NewLimit = Omit<LimitRow, 'id'>;

/** Customer with a new limit: its usage, and the node and the windows of the limit. */
type Counting = {
  readonly limit: LimitRow;
  readonly book: UsageBook;
  readonly node: LimitNode;
  readonly windows: WindowDetails;
};

/** Returns the past events that a new limit counts. `null` if there are too many. */
async function pastEvents(
  tx: TransactionContext,
  { limit, book, windows, node }: Counting,
  customerId: string,
  budgetIds: PastNode['budgetIds'],
): Promise<readonly PastEvent[] | null> {
  if (!canIncludePast(limit)) return [];
  const from = pastFrom(limit, windows, tx.clock.now());
  const stored = await readEvents(tx, customerId, budgetIds, from);
  if (stored.length > mostPastEvents && limit.anomaly !== null) {
    // Without the earlier days, the events of the open window can be few enough.
    const current = { ...limit, anomaly: null };
    return pastEvents(tx, { limit: current, book, windows, node }, customerId, budgetIds);
  }
  const scaleOf = (code: string): bigint => {
    const subject = book.subjectOf(customerId, code);
    return 'code' in subject ? 1n : unitScale(subject.terms);
  };
  return stored.length > mostPastEvents ? null : eventsOf(stored, scaleOf, limit.filter.features.length > 0);
}

/** Open holds of a customer, and the codes of their features. */
type OpenHolds = { readonly holds: readonly HoldRow[]; readonly codes: readonly string[] };

async function readOpenHolds(tx: TransactionContext, customerId: string): Promise<OpenHolds> {
  const holds = await tx.db.usageHold.findMany({ where: { customerId, dueAt: { not: null } } });
  if (holds.length === 0) return { holds, codes: [] };
  const ids = [...new Set(holds.map(({ featureId }) => featureId))];
  const features = await tx.db.feature.findMany({ where: { id: { in: ids }, deletedAt: null } });
  return { holds, codes: features.map(({ code }) => code) };
}

/** Adds the amounts that open holds reserve in the gauge of a new limit to the holds. Returns the sum. */
async function reserveFor(
  tx: TransactionContext,
  { limit, book, node }: Counting,
  holds: readonly HoldRow[],
): Promise<Exact> {
  const key = gaugeKey(limit);
  const reserved = holds
    .map((hold) => ({ hold, amount: heldBy(book, hold, node, key) }))
    .filter(({ amount }) => !isZero(amount));
  const gauges = reserved.map(({ hold, amount }) => ({
    ...hold.gauges,
    [node.id]: { ...hold.gauges[node.id], [key]: exactText(amount) },
  }));
  if (reserved.length > 0)
    await tx.sql(
      `UPDATE "UsageHold" t SET gauges = n.gauges::jsonb FROM unnest($2::text[], $3::text[]) AS n(id, gauges)
       WHERE t."environmentId" = $1 AND t.id = n.id`,
      [
        textArray(reserved.map(({ hold }) => hold.id)),
        textArray(gauges.map((value) => JSON.stringify(value))),
      ],
    );
  return reserved.reduce((sum, { amount }) => plus(sum, amount), zero);
}

/** Reads the usage of a customer as if the new limit were its only limit. `null` if the customer has no subscription that gives access. */
async function countingFor(
  tx: TransactionContext,
  given: NewLimit,
  { nodeId, timeZone }: { readonly nodeId: string; readonly timeZone: string },
  { holds, codes }: OpenHolds,
): Promise<Counting | null> {
  const customerId = given.customerId ?? '';
  const featureCodes = [...new Set([...given.filter.features, ...codes])];
  const needs = { customers: [customerId], featureCodes, eventIds: [], models: [] };
  const loaded = await loadUsageDetails(tx, needs);
  const subscription = loaded.subscriptions.get(customerId);
  const customer = loaded.customers.get(customerId);
  const plan = subscription === undefined ? undefined : loaded.catalog.plans.get(subscription.planId);
  if (subscription === undefined || customer === undefined || plan === undefined) return null;
  const requests = featureCodes.map((featureCode) => ({ customerId, featureCode, properties: [] }));
  const parts = await withStoredParts(tx.sql, loaded, requests, true);
  const hasBudgets = holds.some(({ budgetId }) => budgetId !== null);
  const budgets = hasBudgets ? await tx.db.budget.findMany({ where: { customerId } }) : [];
  const limit = { ...inCurrency({ ...given, id: '' }, subscription.currency), amounts: [], share: null };
  const rows = { limits: [limit], budgets, states: new Map(), raises: [], convert: null, shared: null };
  const book = new UsageBook({
    ...parts,
    limits: { ...rows, timeZones: new Map([[customerId, timeZone]]) },
  });
  const { windows } = limited({ customer, subscription, plan });
  const node = { id: nodeId, customerId, key: given.budgetKey, path: [] };
  return { limit, book, node, windows: { ...windows, timeZone } };
}

/**
 * Stores the value of a new limit: the past usage of its open window, and the amounts that open holds reserve. If another limit has the same
 * value, the new limit continues it. The customer must be locked. Returns `false` if the limit includes no past usage, because the start of its
 * window isn't known, or because the window contains too many events.
 */
export async function includePastUsage(
  tx: TransactionContext,
  given: NewLimit,
  { id, budgetIds }: PastNode,
  timeZone: string,
): Promise<boolean> {
  const { customerId } = given;
  const now = tx.clock.now();
  if (customerId === null || !hasOwnGauge(given, now) || isCalculated(given, { key: given.budgetKey }))
    return false;
  const open = await readOpenHolds(tx, customerId);
  const counting = await countingFor(tx, given, { nodeId: id, timeZone }, open);
  if (counting === null) return canIncludePast(given);
  const { limit, windows, node, book } = counting;
  const key = gaugeKey(limit);
  const state = await tx.db.limitState.findFirst({ where: { id } });
  const stored = state?.gauges[key];
  const planId = book.details.subscriptions.get(customerId)?.planId ?? '';
  const since = stored === undefined ? null : await sharedSince(tx, limit, node, planId);
  const isShared = stored !== undefined && since !== null && since <= stored.at;
  const needsDays = limit.anomaly !== null && stored?.days === undefined;
  const events = isShared && !needsDays ? [] : await pastEvents(tx, counting, customerId, budgetIds);
  const gauge = isShared
    ? {
        ...renewedGauge(limit, stored, windows, now),
        ...(needsDays ? { days: pastDays(limit, events ?? [], windows, now) } : {}),
      }
    : pastGauge(limit, events ?? [], await reserveFor(tx, counting, open.holds), windows, now);
  const gauges: StoredGauges = { ...state?.gauges, [key]: gauge };
  if (state === null) await tx.db.limitState.create({ data: { id, customerId, gauges, reached: {} } });
  else await tx.db.limitState.update({ where: { id }, data: { gauges } });
  return canIncludePast(limit) && events !== null;
}
