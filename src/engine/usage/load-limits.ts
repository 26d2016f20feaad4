import { type Convert, convertedCurrencies } from '../../domain/limits/currencies.ts';
import type { LimitRow } from '../../domain/limits/limit.ts';
import { isCovered, mostBudgets } from '../../domain/limits/new-budgets.ts';
import { planOfHold, type SharedGaugeRow, sharedGauges } from '../../domain/limits/shared.ts';
import { hasDimensions } from '../../domain/meters/meter.ts';
import { addDays } from '../../domain/time/period.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import { rowSets } from '../../platform/db/row-sets.ts';
import type { LimitNeeds, LimitRows } from './limit-rows.ts';
import type { LoadedUsage } from './load.ts';
import { lookAt } from './row-sets.ts';
import type { ReadShared } from './shared-gauges.ts';
import type { CountedRequest } from './values.ts';

// Limits, budgets, and gauges of the customers in a batch, which their accounts protect. Environments without limits and budgets
// read nothing.

/** Length of the longest window without a start in the subscription, in days. */
const longestDays = 32;

const own = '"environmentId" = $1';

/** SQL: a row `t` without a version. */
const unstamped = (from: string): string => `(SELECT *, '' AS stamp FROM ${from}) t`;

const readRows = rowSets(
  {
    customers: 'Customer',
    limits: 'Limit',
    budgets: 'Budget',
    states: 'LimitState',
    raises: 'LimitRaise',
    counters: 'UsageCounter',
  },
  `RECURSIVE budget AS (
     SELECT b.* FROM unnest($3::text[], $4::text[]) AS named(customer, key) CROSS JOIN LATERAL (
       SELECT * FROM "Budget" WHERE ${own} AND "customerId" = named.customer AND key = named.key OFFSET 0) b
     UNION SELECT p.* FROM budget c ${lookAt('Budget', 'c."parentId"', '*')} p),
   node AS MATERIALIZED (SELECT named.id FROM unnest($2::text[]) AS named(id) UNION SELECT id FROM budget)`,
  {
    customers: `unnest($2::text[]) AS named(id) ${lookAt('Customer', 'named.id')} t`,
    limits: `${unstamped(`"Limit" WHERE ${own} AND "customerId" = ANY($2::text[]) AND "deletedAt" IS NULL`)} ORDER BY t.seq`,
    budgets: unstamped('budget'),
    states: `node n ${lookAt('LimitState', 'n.id')} t`,
    raises: `node n CROSS JOIN LATERAL (
      SELECT *, '' AS stamp FROM "LimitRaise" WHERE ${own} AND "nodeId" = n.id AND until > $6::timestamptz OFFSET 0) t`,
    counters: `(SELECT *, xmin AS stamp FROM "UsageCounter" WHERE ${own} AND "subscriptionId" = ANY($5::text[])) t
      WHERE $7::boolean OR EXISTS (SELECT FROM "Limit" l WHERE l.${own} AND l.measure = 'spend' AND l."deletedAt" IS NULL
        AND (l."customerId" IS NULL OR l."customerId" = ANY($2::text[])))`,
  },
);

/** Reads limits, budgets, and gauges. The accounts of the customers must be locked for recording. */
export const readLimits = (sql: Query, needs: LimitNeeds): Promise<LimitRows> =>
  readRows(sql, [
    textArray(needs.customerIds),
    textArray(needs.budgets.map(({ customerId }) => customerId)),
    textArray(needs.budgets.map(({ key }) => key)),
    textArray(needs.subscriptionIds),
    needs.now.toISOString(),
    needs.needsCounters,
  ]);

/** Returns the numbers of budgets of customers by customer ID, up to the maximum number. */
export const countBudgets = async (
  sql: Query,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await sql<{ id: string; count: number }>(
    `SELECT named.id, (SELECT count(*)::int FROM (
       SELECT FROM "Budget" WHERE "environmentId" = $1 AND "customerId" = named.id LIMIT $3) b) AS count FROM unnest($2::text[]) AS named(id)`,
    [textArray(customerIds), mostBudgets],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
};

type Requested = Pick<UsageRequest, 'customerId' | 'budget' | 'heldPath' | 'hold'>;

/** Returns the keys of the budgets whose limits a request can change. */
export const requestedBudgets = ({
  budget,
  heldPath = [],
}: Pick<UsageRequest, 'budget' | 'heldPath'>): readonly string[] =>
  typeof budget === 'string' ? [budget, ...heldPath] : heldPath;

/** Returns the customers and budgets of the requests whose customers have a subscription. */
function needsOf(details: LoadedUsage, requests: readonly Requested[], needsCounters: boolean): LimitNeeds {
  const subscriptions = [...details.subscriptions.values()];
  const budgets = new Map<string, LimitNeeds['budgets'][number]>();
  const customerIds = new Set(subscriptions.map(({ customerId }) => customerId));
  for (const request of requests) {
    const { customerId: reference, hold } = request;
    const id = details.customers.get(reference)?.id;
    // Holds can reserve amounts of a customer whose subscription has ended.
    if (id !== undefined && hold !== undefined) customerIds.add(id);
    if (id === undefined) continue;
    for (const key of requestedBudgets(request)) budgets.set(`${id} ${key}`, { customerId: id, key });
  }
  return {
    customerIds: [...customerIds],
    budgets: [...budgets.values()],
    subscriptionIds: subscriptions.map(({ id }) => id),
    now: details.now,
    needsCounters,
  };
}

/** Reads the conversion between currencies in a period. */
type ReadConversion = (
  currencies: readonly string[],
  period: { readonly from: Date; readonly to: Date },
) => Promise<Convert>;

/** Reads limits, numbers of budgets, exchange rates, and shared gauges. `readShared` is `null` if usage is assumed to fit into shared gauges. */
export type LimitReaders = {
  readonly readLimits: (needs: LimitNeeds) => Promise<LimitRows>;
  readonly countBudgets: (customerIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly readRates: ReadConversion;
  readonly readShared: ReadShared | null;
};

/** Reads the gauges of the organization and the plans of the customers. `null` if usage is assumed to fit. */
async function sharedOf(
  { templates, subscriptions, customers, holds, now }: LoadedUsage,
  read: ReadShared | null,
): Promise<ReadonlyMap<string, SharedGaugeRow> | null> {
  if (read === null) return null;
  const rows = [...subscriptions.values()];
  const names = sharedGauges(
    templates ?? [],
    [...rows.map(({ planId }) => planId), ...holds.flatMap(({ gauges }) => planOfHold(gauges) ?? [])],
    [...new Set(rows.map(({ currency }) => currency))],
  );
  const customerIds = [...customers.values()].map(({ id }) => id);
  return names.length === 0 ? new Map() : read({ names, customerIds, now });
}

/** Returns the conversion for amounts in currencies that limits don't list. `null` if all limits list the currencies. */
async function conversionOf(
  { subscriptions, now }: LoadedUsage,
  limits: readonly LimitRow[],
  read: ReadConversion,
): Promise<Convert | null> {
  const rows = [...subscriptions.values()];
  const currencies = convertedCurrencies(
    limits,
    rows.map(({ currency }) => currency),
  );
  if (currencies.length === 0) return null;
  const opened = rows.flatMap(({ windowStart, periodStart }) => [windowStart, periodStart]);
  const times = opened.flatMap((time) => time?.getTime() ?? []);
  const from = new Date(Math.min(addDays(now, -longestDays).getTime(), ...times));
  return read(currencies, { from, to: now });
}

/** Returns the customers for which a request names a budget that doesn't exist and that usage can create. */
function creatingCustomers(
  { customers, subscriptions, now }: LoadedUsage,
  requests: readonly Requested[],
  limits: readonly LimitRow[],
  budgets: LimitRows['budgets'],
): readonly string[] {
  const stored = new Set(budgets.map(({ customerId, key }) => `${customerId} ${key}`));
  const found = new Set<string>();
  for (const { customerId: reference, budget } of requests) {
    const customerId = customers.get(reference)?.id;
    if (customerId === undefined || typeof budget !== 'string' || stored.has(`${customerId} ${budget}`))
      continue;
    const planId = subscriptions.get(customerId)?.planId;
    if (planId !== undefined && isCovered(limits, { customerId, planId }, budget, now)) found.add(customerId);
  }
  return [...found];
}

/**
 * Returns the usage data with the limits and gauges of the requests. Reads nothing if the environment never had a limit and no request
 * has a budget, or if the rows are known. Adds the counters of subscriptions from which limits are calculated.
 */
export async function withLimits(
  details: LoadedUsage,
  requests: readonly Requested[],
  { readLimits: read, countBudgets: count, readRates, readShared }: LimitReaders,
  needsCounters = false,
): Promise<LoadedUsage> {
  const isUnused = details.templates === null && requests.every(({ budget }) => typeof budget !== 'string');
  const hasHold = requests.some(({ hold }) => hold !== undefined);
  if (isUnused || (details.subscriptions.size === 0 && !hasHold)) return details;
  const { knownLimits } = details;
  const rows = knownLimits ?? (await read(needsOf(details, requests, needsCounters)));
  const limits = [...(details.templates ?? []), ...rows.limits];
  const creating = creatingCustomers(details, requests, limits, rows.budgets);
  return {
    ...details,
    readLimits: knownLimits === null ? rows : null,
    counters: new Map([...rows.counters.map((row) => [row.id, row] as const), ...details.counters]),
    limits: {
      limits,
      convert: await conversionOf(details, limits, readRates),
      budgets: rows.budgets,
      ...(creating.length === 0 ? {} : { budgetCounts: await count(creating) }),
      states: new Map(rows.states.map((row) => [row.id, row])),
      raises: [...rows.raises, ...details.sharedRaises],
      timeZones: new Map(rows.customers.map(({ id, timezone }) => [id, timezone])),
      shared: await sharedOf(details, readShared),
    },
  };
}

/** Returns requests for the features whose prices limits sum, so that their totals by dimension values are loaded. */
export function summedFeatures({
  limits,
  customers,
  subscriptions,
  counters,
  catalog,
}: LoadedUsage): CountedRequest[] {
  if (limits === null) return [];
  const loaded = new Set([...customers.values()].map(({ id }) => id));
  return [...counters.values()].flatMap(({ featureId, subscriptionId, customerId }) => {
    const feature = catalog.features.get(featureId);
    const isOpen = loaded.has(customerId) && subscriptions.get(customerId)?.id === subscriptionId;
    return isOpen && feature?.meters.some(hasDimensions) === true
      ? [{ customerId, featureCode: feature.code, properties: [] }]
      : [];
  });
}
