import type { Context } from '../../context.ts';
import type { UsageFacts } from '../../domain/consumption/book.ts';
import type { ModelFacts, UsageEventRow } from '../../domain/consumption/record.ts';
import type { ConsumptionAccountRow, UsageCounterRow } from '../../domain/consumption/rows.ts';
import { catalogOf } from '../../domain/pricing/catalog.ts';
import type { CustomerRow, SubscriptionRow } from '../../domain/subscription/rows.ts';
import { accessStatuses } from '../../domain/subscription/state.ts';
import { columnList } from '../../infra/bulk.ts';
import type { Query } from '../../infra/db.ts';
import { newId } from '../../infra/ids.ts';
import type { Row } from '../../infra/rows.ts';
import { loadActivations } from '../load-addons.ts';
import { loadCatalogRows } from '../load-catalog.ts';
import { readTokenCost } from './token-cost.ts';

/** What requests name: customers by either identifier, features by code, their own event ids, AI models by name. */
export type UsageNeeds = {
  readonly customers: readonly string[];
  readonly featureCodes: readonly string[];
  readonly eventIds: readonly string[];
  readonly models: readonly string[];
};

/**
 * The customers requests name, in order of seq (protocols A2), by the identifier that was used; our id goes before the caller's (GLO-2).
 * Their lock keeps decisions about their subscriptions away, but not other usage.
 */
async function readCustomers(ctx: Context, references: readonly string[], lock: string): Promise<Map<string, CustomerRow>> {
  const rows = await ctx.sql<CustomerRow>(
    `SELECT ${columnList('Customer', 't')} FROM "Customer" t
     WHERE t."environmentId" = $1 AND (t.id = ANY($2) OR t."externalId" = ANY($2)) ORDER BY t.seq ${lock}`,
    [references],
  );
  const asked = new Set(references);
  const found = new Map<string, CustomerRow>();
  for (const row of rows) if (row.externalId !== null && asked.has(row.externalId)) found.set(row.externalId, row);
  for (const row of rows) if (asked.has(row.id)) found.set(row.id, row);
  return found;
}

/** The subscriptions of customers that give access; a customer has at most one. */
export const readAccessSubscriptions = (ctx: Context, customerIds: readonly string[]): Promise<SubscriptionRow[]> =>
  ctx.sql<SubscriptionRow>(
    `SELECT ${columnList('Subscription', 't')} FROM "Subscription" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.status::text = ANY($3::text[])`,
    [customerIds, accessStatuses],
  );

/** Reads accounts in order of seq; locked, nobody else draws from them from here on. */
const readAccounts = (ctx: Context, ids: readonly string[], lock: string): Promise<ConsumptionAccountRow[]> =>
  ctx.sql<ConsumptionAccountRow>(
    `SELECT ${columnList('ConsumptionAccount', 't')} FROM "ConsumptionAccount" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq ${lock}`,
    [ids],
  );

const readCounters = (ctx: Context, subscriptionIds: readonly string[], featureIds: readonly string[]): Promise<UsageCounterRow[]> =>
  ctx.sql<UsageCounterRow>(
    `SELECT ${columnList('UsageCounter', 't')} FROM "UsageCounter" t
     WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) AND t."featureId" = ANY($3)`,
    [subscriptionIds, featureIds],
  );

async function readEvents(ctx: Context, eventIds: readonly string[]): Promise<Map<string, UsageEventRow>> {
  if (eventIds.length === 0) return new Map();
  const rows = await ctx.sql<Row<'UsageEvent'>>(
    `SELECT ${columnList('UsageEvent', 't')} FROM "UsageEvent" t WHERE t."environmentId" = $1 AND t."eventId" = ANY($2)`,
    [eventIds],
  );
  return new Map(rows.map((row) => [row.eventId ?? '', usageEventOf(row)]));
}

/** A stored usage event as decisions see it. */
const usageEventOf = (row: Omit<Row<'UsageEvent'>, 'environmentId'>): UsageEventRow => ({
  ...row,
  tokenCost: readTokenCost(row.tokenCost),
  // Written by this folder in this shape.
  properties: row.properties as unknown as UsageEventRow['properties'],
});

/** AI models by the name asked for: `provider/name` exactly, else the bare name among active ones (CON-32). */
async function readModels(query: Query, names: readonly string[]): Promise<Map<string, ModelFacts[]>> {
  if (names.length === 0) return new Map();
  const rows = await query<Row<'AiModel'> & { version: string }>(
    `SELECT m.*, (SELECT p.id FROM "AiModelPrice" p WHERE p."modelId" = m.id ORDER BY p."validFrom" DESC, p.id DESC LIMIT 1) AS version
     FROM "AiModel" m WHERE m."isActive" AND (m.id = ANY($1) OR m.name = ANY($1)) ORDER BY m.id`,
    [names],
  );
  const factsOf = (row: (typeof rows)[number]): ModelFacts => ({
    id: row.id,
    prices: { input: row.inputRate, output: row.outputRate, cacheRead: row.cacheReadRate, cacheWrite: row.cacheWriteRate },
    version: row.version,
  });
  return new Map(
    names.map((name) => {
      const exact = rows.filter(({ id }) => id === name);
      return [name, (exact.length > 0 ? exact : rows.filter((row) => row.name === name)).map(factsOf)];
    }),
  );
}

/**
 * Reads everything the requests name, in the same number of statements for one as for a thousand. To record, inside an open transaction,
 * it is locked: decisions about a customer's subscription wait meanwhile, and so do other draws on the same accounts.
 */
export async function loadUsageFacts(ctx: Context, needs: UsageNeeds, purpose: 'record' | 'look'): Promise<UsageFacts> {
  const { transaction } = ctx;
  if (purpose === 'record' && transaction === null) throw new Error('Usage is recorded inside a transaction, which holds its locks.');
  const models = await readModels(transaction?.query ?? ctx.app.database.query, needs.models);
  const customers = await readCustomers(ctx, needs.customers, purpose === 'record' ? 'FOR KEY SHARE' : '');
  const subscriptions = await readAccessSubscriptions(
    ctx,
    [...new Set(customers.values())].map(({ id }) => id),
  );
  const subscriptionIds = subscriptions.map(({ id }) => id);
  const accounts = await readAccounts(ctx, subscriptionIds, purpose === 'record' ? 'FOR UPDATE' : '');
  const activations = await loadActivations(ctx, subscriptionIds);
  const rows = await loadCatalogRows(ctx, {
    addonIds: activations.map(({ addonId }) => addonId),
    planIds: [...new Set(subscriptions.map(({ planId }) => planId))],
    planCodes: [],
    priceIds: [],
    featureCodes: needs.featureCodes,
    countries: [],
  });
  const asked = new Set(needs.featureCodes);
  const features = rows.features.filter(({ code, deletedAt }) => deletedAt === null && asked.has(code));
  const counters = await readCounters(
    ctx,
    subscriptionIds,
    features.map(({ id }) => id),
  );
  const wallMs = ctx.wall.now().getTime();
  return {
    now: ctx.clock.now(),
    newId: (prefix) => newId(prefix, wallMs),
    customers,
    subscriptions: new Map(subscriptions.map((row) => [row.customerId, row])),
    catalog: catalogOf(rows),
    features: new Map(features.map((row) => [row.code, row])),
    addons: Map.groupBy(activations, ({ subscriptionId }) => subscriptionId),
    accounts: new Map(accounts.map((row) => [row.id, row])),
    counters: new Map(counters.map((row) => [row.id, row])),
    events: await readEvents(ctx, needs.eventIds),
    models,
  };
}
