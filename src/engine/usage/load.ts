import type { LimitRow, RaiseRow } from '../../domain/limits/limit.ts';
import { type OpenLots, openLots } from '../../domain/lots/open-lots.ts';
import type { SubscriptionRow } from '../../domain/rows/rows.ts';
import type {
  ConsumingCustomer,
  ConsumingSubscription,
  ConsumptionAccountRow,
  FeatureCountRow,
  UsageCounterRow,
} from '../../domain/rows/usage-rows.ts';
import { accessStatuses } from '../../domain/subscription/state/transitions.ts';
import type { UsageEventRow } from '../../domain/usage/record.ts';
import type { UsageDetails } from '../../domain/usage/usage-details.ts';
import { columnList } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Stamped } from '../../platform/db/row-sets.ts';
import type { Row } from '../../platform/db/rows.ts';
import { newId } from '../../platform/ids.ts';
import type { Context } from '../../request/context.ts';
import { plansOf } from '../load/catalog.ts';
import { approvalTerms } from './approval-rows.ts';
import { cachedCatalog, readCatalog } from './catalog.ts';
import type { LimitRows } from './limit-rows.ts';
import { templatesOf } from './limit-templates.ts';
import { modelsByName, type NamedModels, readModels } from './models.ts';
import {
  heldSubscription,
  lookAt,
  namedCustomers,
  readLotRows,
  readNextUsageRows,
  readUsageRows,
  rowById,
} from './row-sets.ts';
import { readTokenCost } from './token-cost.ts';
import { hashValue } from './value-hash.ts';

/** Identifiers in requests: customer IDs or external IDs, feature codes, event IDs, and AI model names. */
export type UsageNeeds = {
  readonly customers: readonly string[];
  readonly featureCodes: readonly string[];
  readonly eventIds: readonly string[];
  readonly models: readonly string[];
};

/** Returns customers by the identifier in the request. An ID takes precedence over an external ID (GLO-2). */
export function byReference<C extends ConsumingCustomer>(
  rows: readonly C[],
  references: readonly string[],
): Map<string, C> {
  const requested = new Set(references);
  const found = new Map<string, C>();
  for (const row of rows)
    if (row.externalId !== null && requested.has(row.externalId)) found.set(row.externalId, row);
  for (const row of rows) if (requested.has(row.id)) found.set(row.id, row);
  return found;
}

/** Reads the customers' subscriptions that give access. A customer has at most one. */
export const readAccessSubscriptions = (
  ctx: Context,
  customerIds: readonly string[],
): Promise<SubscriptionRow[]> =>
  ctx.sql<SubscriptionRow>(
    `SELECT ${columnList('Subscription', 't')} FROM "Subscription" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.status::text = ANY($3::text[])`,
    [customerIds, accessStatuses],
  );

/** Customer with its position in the lock order. */
export type ReadCustomer = ConsumingCustomer & Stamped & { readonly seq: bigint };

/** Subscription that gives access, and its consumption account. */
export type Holding = {
  readonly subscription: ConsumingSubscription & Stamped;
  readonly account: ConsumptionAccountRow & Stamped;
};

// Each column appears once, which the types enforce.
const subscriptionColumns = Object.keys({
  id: true,
  seq: true,
  customerId: true,
  planId: true,
  priceId: true,
  status: true,
  currency: true,
  marketId: true,
  billingInterval: true,
  startDate: true,
  termsFrom: true,
  periodStart: true,
  periodEnd: true,
  windowStart: true,
  windowEnd: true,
  grantedPlanId: true,
  grantedReleaseSeq: true,
  stamp: true,
} satisfies Record<keyof Holding['subscription'], true>);
const accountColumns = Object.keys({
  id: true,
  seq: true,
  customerId: true,
  pools: true,
  updatedAt: true,
  stamp: true,
} satisfies Record<keyof Holding['account'], true>);

const listed = (columns: readonly string[], alias: string): string =>
  columns.map((name) => `${alias}."${name}"`).join(', ');

function rowOf(
  columns: readonly string[],
  values: readonly unknown[],
  first: number,
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index] ?? ''] = values[first + index];
  return row;
}

const holdingOf = (values: readonly unknown[]): Holding => ({
  // The values are in the order of the two column lists.
  subscription: rowOf(subscriptionColumns, values, 0) as Holding['subscription'],
  account: rowOf(accountColumns, values, subscriptionColumns.length) as Holding['account'],
});

/** Statements that read customers, and their subscriptions that give access with their accounts. */
type Reads = { readonly customers: string; readonly holdings: string };

const readsWith = (customerLock: string, accountLock: string): Reads => ({
  customers: `SELECT t.* FROM (SELECT c.id FROM ${namedCustomers} ORDER BY c.seq) c
       ${lookAt('Customer', 'c.id', 'id, "externalId", "requireBudget", seq, xmin AS stamp', customerLock)} t`,
  holdings: `SELECT ${listed(subscriptionColumns, 's')}, ${listed(accountColumns, 't')}
     FROM (SELECT s.* FROM ${namedCustomers} ${heldSubscription} ${rowById('ConsumptionAccount', 's.id')} ORDER BY t.seq) s
       ${lookAt('ConsumptionAccount', 's.id', undefined, accountLock)} t`,
});

/**
 * Statements by purpose. For recording usage, they take locks in order of `seq`. The lock on a customer blocks
 * changes to its subscriptions, but not other usage. The account lock is exclusive.
 */
const reads = {
  record: readsWith('FOR KEY SHARE', 'FOR UPDATE'),
  look: readsWith('', ''),
} satisfies Record<string, Reads>;

/** Data for usage decisions, with the current counts by ID for the requested seat and quota features. */
export type LoadedUsage = UsageDetails & {
  readonly counts: ReadonlyMap<string, FeatureCountRow>;
  /** Templates, and limits of the organization and of plans. `null` if the environment never had a limit. */
  readonly templates: readonly LimitRow[] | null;
  /** Raises of limits of the organization and of plans. */
  readonly sharedRaises: readonly RaiseRow[];
  /** Rows of limits that the requests need, from earlier batches. `null` if they must be read. */
  readonly knownLimits: LimitRows | null;
  /** Rows of limits that were read for the requests. `null` if they were known or aren't needed. */
  readonly readLimits: LimitRows | null;
  /** IDs of holds to expire before the requests are decided. */
  readonly dueHolds: readonly string[];
};

/** Converts a stored usage event to the domain type. */
export const usageEventOf = (row: Omit<Row<'UsageEvent'>, 'environmentId'>): UsageEventRow => ({
  ...row,
  tokenCost: readTokenCost(row.tokenCost),
});

type RowSets = Awaited<ReturnType<typeof readUsageRows>>;

export type UsageRows = {
  readonly customers: readonly ReadCustomer[];
  readonly holdings: readonly Holding[];
  /** Open lots by subscription ID. */
  readonly lots: ReadonlyMap<string, OpenLots>;
  readonly sets: Omit<RowSets, 'numbers' | 'lots'> & {
    readonly numbers: readonly Pick<
      RowSets['numbers'][number],
      'catalogVersion' | 'limitVersion' | 'stamp'
    >[];
  };
  readonly models: NamedModels;
  /** Totals by dimension values, by counter ID. The totals of other windows must be read if they're needed. */
  readonly cells: LoadedUsage['cells'];
  /** Rows of limits that the requests need. `null` if they must be read. */
  readonly limits: LimitRows | null;
};

/** Number of lots per asset that stands for all lots. */
export const allLots = 1_000_000_000;

/** Returns lots by subscription ID. The `stamp` of a lot is the number of the account's open lots. */
const lotsByAccount = (rows: RowSets['lots'], limit: number): ReadonlyMap<string, OpenLots> =>
  new Map(
    Map.groupBy(rows, ({ subscriptionId }) => subscriptionId ?? '')
      .entries()
      .map(([id, lots]) => [id, openLots(lots, Number(lots[0]?.stamp), limit)]),
  );

/** Reads the open lots of subscriptions, as many as `limit` per asset. Their accounts must be locked for recording. */
export const readLots = async (
  sql: Query,
  subscriptionIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, OpenLots>> =>
  lotsByAccount((await readLotRows(sql, [textArray(subscriptionIds), limit])).lots, limit);

/**
 * Reads the rows that the requests reference, with a constant number of statements. In a transaction, the
 * statements are sent together and executed in order. For recording, locks the rows, so that changes to the
 * customers' subscriptions and other deductions wait. `sql` runs statements in the environment, and `query`
 * runs statements outside an environment. Reads the first lots of each account if `lotLimit` is the number of lots per
 * asset, and all lots if it's `null`.
 */
export async function readUsage(
  sql: Query,
  query: Query,
  needs: UsageNeeds,
  purpose: keyof typeof reads,
  lotLimit: number | null = null,
): Promise<UsageRows> {
  const customerNames = textArray(needs.customers);
  const named = [customerNames, textArray(needs.featureCodes), textArray(needs.eventIds)];
  const [customers, holdings, { lots, ...sets }, models] = await Promise.all([
    sql<ReadCustomer>(reads[purpose].customers, [customerNames]),
    sql<Holding>(reads[purpose].holdings, [customerNames], holdingOf),
    lotLimit === null ? readUsageRows(sql, named) : readNextUsageRows(sql, [...named, lotLimit]),
    readModels(sql, query, needs.models),
  ]);
  return {
    customers,
    holdings,
    lots: lotsByAccount(lots, lotLimit ?? allLots),
    sets,
    models,
    cells: new Map(),
    limits: null,
  };
}

/**
 * Combines rows and catalog into the data for decisions. In a caller's transaction, reads the catalog without
 * the cache, because the transaction may have changed it.
 */
export async function usageDetailsOf(
  ctx: Context,
  needs: UsageNeeds,
  rows: UsageRows,
  isOwn: boolean,
): Promise<LoadedUsage> {
  const { customers, holdings, lots, sets, models, cells, limits } = rows;
  const subscriptions = holdings.map(({ subscription }) => subscription);
  const named = {
    planIds: plansOf(subscriptions),
    featureCodes: needs.featureCodes,
    addonIds: [...new Set(sets.activations.map(({ addonId }) => addonId))],
  };
  const [numbers] = sets.numbers;
  if (numbers === undefined) throw new Error(`Environment ${ctx.environment.id} has no counter row.`);
  const { catalog, features } = isOwn
    ? await cachedCatalog(ctx, numbers.catalogVersion, named)
    : await readCatalog(ctx, named);
  const common = await templatesOf(ctx, numbers.limitVersion, isOwn);
  const wallMs = ctx.wall.now().getTime();
  const now = ctx.clock.now();
  return {
    now,
    newId: (prefix) => newId(prefix, wallMs),
    hash: hashValue,
    approvalTerms: (id) => approvalTerms(id, wallMs),
    values: new Map(),
    cells,
    limits: null,
    knownLimits: limits,
    readLimits: null,
    holds: [],
    holdEvents: new Map(),
    dueHolds: [],
    templates: common?.limits ?? null,
    sharedRaises: common?.raises ?? [],
    customers: byReference(customers, needs.customers),
    subscriptions: new Map(subscriptions.map((row) => [row.customerId, row])),
    catalog,
    features,
    addons: Map.groupBy(sets.activations, ({ subscriptionId }) => subscriptionId),
    accounts: new Map(holdings.map(({ account }) => [account.id, account])),
    lots,
    counters: new Map(sets.counters.map((row) => [row.id, row as UsageCounterRow])),
    counts: new Map(sets.counts.map((row) => [row.id, row])),
    events: new Map(sets.events.map((row) => [row.eventId ?? '', usageEventOf(row)])),
    models: modelsByName(needs.models, models, now),
  };
}

/** Reads the data for the requests without locking it. */
export async function loadUsageDetails(ctx: Context, needs: UsageNeeds): Promise<LoadedUsage> {
  const { transaction } = ctx;
  const rows = await readUsage(ctx.sql, transaction?.query ?? ctx.app.database.query, needs, 'look');
  return usageDetailsOf(ctx, needs, rows, transaction === null);
}
