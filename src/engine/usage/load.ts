import type { Context } from '../../context.ts';
import type { UsageFacts } from '../../domain/consumption/book.ts';
import type { ModelFacts, UsageEventRow } from '../../domain/consumption/record.ts';
import type { ConsumptionAccountRow, FeatureCountRow, UsageCounterRow } from '../../domain/consumption/rows.ts';
import { catalogOf } from '../../domain/pricing/catalog.ts';
import type { CustomerRow, SubscriptionRow } from '../../domain/subscription/rows.ts';
import { accessStatuses } from '../../domain/subscription/state.ts';
import { columnList } from '../../infra/bulk.ts';
import { currencyOfCountry } from '../../infra/countries.ts';
import type { Query } from '../../infra/db.ts';
import { newId } from '../../infra/ids.ts';
import type { Row } from '../../infra/rows.ts';
import { plansOf } from '../load-catalog.ts';
import { readUsageRows } from './row-sets.ts';
import { readTokenCost } from './token-cost.ts';

/** What requests name: customers by either identifier, features by code, their own event ids, AI models by name. */
export type UsageNeeds = {
  readonly customers: readonly string[];
  readonly featureCodes: readonly string[];
  readonly eventIds: readonly string[];
  readonly models: readonly string[];
};

/** Customers by the identifier that was used; our id goes before the caller's (GLO-2). */
function byReference(rows: readonly CustomerRow[], references: readonly string[]): Map<string, CustomerRow> {
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

type Lock = { readonly customers: string; readonly accounts: string };

/** Decisions about a customer's subscriptions stay away but not other usage; nobody else draws from the accounts. In order of seq (protocols A2). */
const locked: Lock = { customers: 'FOR KEY SHARE', accounts: 'FOR UPDATE OF t' };
const unlocked: Lock = { customers: '', accounts: '' };

// Two statements of one index each, since an OR would read the whole table where that looks cheap.
const readCustomers = (ctx: Context, references: readonly string[], lock: Lock): Promise<CustomerRow[]> =>
  ctx.sql<CustomerRow>(
    `SELECT ${columnList('Customer', 't')} FROM "Customer" t WHERE t."environmentId" = $1 AND t.id IN (
       SELECT id FROM "Customer" WHERE "environmentId" = $1 AND id = ANY($2)
       UNION SELECT id FROM "Customer" WHERE "environmentId" = $1 AND "externalId" = ANY($2)) ORDER BY t.seq ${lock.customers}`,
    [references],
  );

type Holding = { readonly subscriptions: readonly SubscriptionRow[]; readonly accounts: readonly ConsumptionAccountRow[] };

const accountColumns = ['planCredits', 'purchasedCredits', 'balanceRate', 'grantedCredits', 'grantedRate', 'isLowSent', 'lastRefillRate'];
const accountList = [...accountColumns, 'seq', 'updatedAt'].map((name) => `t."${name}" AS "account.${name}"`).join(', ');

/** The subscriptions that give customers access, with their accounts. */
async function readHoldings(ctx: Context, customerIds: readonly string[], lock: Lock): Promise<Holding> {
  const rows = await ctx.sql<SubscriptionRow & Record<string, unknown>>(
    `SELECT ${columnList('Subscription', 's')}, ${accountList}
     FROM "Subscription" s JOIN "ConsumptionAccount" t ON t."environmentId" = $1 AND t.id = s.id
     WHERE s."environmentId" = $1 AND s."customerId" = ANY($2) AND s.status::text = ANY($3::text[]) ORDER BY t.seq ${lock.accounts}`,
    [customerIds, accessStatuses],
  );
  const accountOf = (row: (typeof rows)[number]): ConsumptionAccountRow => {
    const account: Record<string, unknown> = { id: row.id, customerId: row.customerId };
    for (const name of [...accountColumns, 'seq', 'updatedAt']) account[name] = row[`account.${name}`];
    // The columns read above are those of the account.
    return account as ConsumptionAccountRow;
  };
  return { subscriptions: rows, accounts: rows.map(accountOf) };
}

/** What decides about usage, and the counts of the seats and quota features that are named, by id. */
export type LoadedUsage = UsageFacts & { readonly counts: ReadonlyMap<string, FeatureCountRow> };

/** A stored count; the engine writes its steps in this shape. */
const countOf = (row: Omit<Row<'FeatureCount'>, 'environmentId'>): FeatureCountRow => row as unknown as FeatureCountRow;

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
export async function loadUsageFacts(ctx: Context, needs: UsageNeeds, purpose: 'record' | 'look'): Promise<LoadedUsage> {
  const { transaction } = ctx;
  if (purpose === 'record' && transaction === null) throw new Error('Usage is recorded inside a transaction, which holds its locks.');
  const models = await readModels(transaction?.query ?? ctx.app.database.query, needs.models);
  const lock = purpose === 'record' ? locked : unlocked;
  const customers = await readCustomers(ctx, needs.customers, lock);
  const { subscriptions, accounts } = await readHoldings(
    ctx,
    customers.map(({ id }) => id),
    lock,
  );
  const rows = await readUsageRows(ctx.sql, [
    subscriptions.map(({ id }) => id),
    plansOf(subscriptions),
    needs.featureCodes,
    needs.eventIds,
    customers.map(({ id }) => id),
  ]);
  const asked = new Set(needs.featureCodes);
  const wallMs = ctx.wall.now().getTime();
  return {
    now: ctx.clock.now(),
    newId: (prefix) => newId(prefix, wallMs),
    customers: byReference(customers, needs.customers),
    subscriptions: new Map(subscriptions.map((row) => [row.customerId, row])),
    catalog: catalogOf({ ...rows, marketCountries: [], currencyOfCountry }),
    features: new Map(rows.features.filter(({ code, deletedAt }) => deletedAt === null && asked.has(code)).map((row) => [row.code, row])),
    addons: Map.groupBy(rows.activations, ({ subscriptionId }) => subscriptionId),
    accounts: new Map(accounts.map((row) => [row.id, row])),
    counters: new Map(rows.counters.map((row) => [row.id, row as UsageCounterRow])),
    counts: new Map(rows.counts.map((row) => [row.id, countOf(row)])),
    events: new Map(rows.events.map((row) => [row.eventId ?? '', usageEventOf(row)])),
    models,
  };
}
