import { LRUCache } from 'lru-cache';
import { storedAccount } from '../../domain/lots/account.ts';
import { keptLots, noLots, type OpenLots } from '../../domain/lots/open-lots.ts';
import type { UsageCellRow, UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import { counterId } from '../../domain/usage/counter.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { monotonicMs } from '../../platform/clock.ts';
import {
  type CachedLimits,
  limitsAfter,
  limitsRead,
  type SelectedLimits,
  selectedLimits,
} from './cached-limits.ts';
import {
  byReference,
  type Holding,
  type LoadedUsage,
  type ReadCustomer,
  type UsageNeeds,
  type UsageRows,
} from './load.ts';
import { combinedModels, modelsOf, type NamedModels } from './models.ts';

// Per-process cache of rows and row versions that batches have read and written. The next batch can be
// decided on them without reading. The cache is optimistic: the write locks the rows and fails if a version
// has changed (verify.ts).

type Counter = UsageRows['sets']['counters'][number];

/**
 * Environment in the cache. Its customers can be used while the catalog, the limits, and the server stay the same.
 */
export type CachedEnvironment = {
  readonly catalogVersion: string;
  readonly limitVersion: string;
  readonly server: string;
  /** Latest known time of the test clock. */
  simulatedTime: Date | null;
  /** Feature IDs by feature code. */
  readonly featureIds: Map<string, string>;
  /** AI models by the name in requests. */
  readonly models: LRUCache<string, NamedModels>;
};

/** Cached rows of a customer whose subscription gives access. Immutable. */
export type CachedCustomer = {
  readonly environment: CachedEnvironment;
  readonly customer: ReadCustomer;
  readonly subscription: Holding['subscription'];
  readonly activations: UsageRows['sets']['activations'];
  readonly account: Holding['account'];
  /** Open lots of the account. Every change to a lot also changes the account's version. */
  readonly lots: OpenLots;
  readonly counters: ReadonlyMap<string, Counter>;
  /** Totals by dimension values, by counter ID. Every change to a total also changes the version of the counter. */
  readonly cells: UsageRows['cells'];
  /** Limits and gauges. `null` if no batch has read them. */
  readonly limits: CachedLimits | null;
  readonly readMs: number;
};

/** Cached rows that requests need: the environment, customers by reference, counters with their totals, and AI models by name. */
export type CachedRows = Pick<UsageRows, 'cells'> & {
  readonly environment: CachedEnvironment;
  readonly customers: readonly CachedCustomer[];
  readonly counters: readonly Counter[];
  /** Limits that the requests need. `null` if they must be read, or if the environment has no limits. */
  readonly limits: SelectedLimits | null;
  readonly models: { readonly names: readonly string[]; readonly found: NamedModels };
};

/** Cached customers by ID or external ID. */
export type Customers = ReadonlyMap<string, CachedCustomer>;

/** Data that a batch was decided on, the data that the batch writes, and the time of the test clock. */
export type DecidedUsage = {
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
  readonly details: LoadedUsage;
  readonly book: UsageBook;
  readonly simulatedTime: Date | null;
};

const maxCustomers = 10_000;
const maxEnvironments = 200;
const maxModels = 100;

/** Maximum number of cached totals of a counter by dimension values. Larger numbers are read for each batch. */
const maxCells = 200;

// Row versions are 32-bit transaction IDs, which don't repeat within an hour.
const maxAgeMs = 3_600_000;

const isFresh = ({ readMs }: CachedCustomer): boolean => readMs > monotonicMs() - maxAgeMs;

/** Returns the limits that the requests need. `null` if they must be read, or if the environment has no limits. */
function limitsFor(named: Customers, requests: readonly UsageRequest[]): SelectedLimits | null {
  if (named.values().some(({ limits }) => limits === null)) return null;
  const byCustomer = Map.groupBy(requests, ({ customerId }) => named.get(customerId)?.customer.id);
  const distinct = new Map(named.values().map((cached) => [cached.customer.id, cached]));
  return selectedLimits(
    [...distinct].map(([customerId, { limits, subscription }]) => ({
      limits,
      customerId,
      subscriptionId: subscription.id,
      requests: byCustomer.get(customerId) ?? [],
    })),
  );
}

/** Returns the cached rows that the requests need. `null` if a row isn't cached. */
export function cachedRowsOf(
  environment: CachedEnvironment,
  named: Customers,
  requests: readonly UsageRequest[],
): CachedRows | null {
  const counters = new Set<Counter>();
  const cells = new Map<string, readonly UsageCellRow[]>();
  const models = new Map<string, NamedModels>();
  for (const { customerId, featureCode, model } of requests) {
    const cached = named.get(customerId);
    const featureId = environment.featureIds.get(featureCode);
    const counter =
      featureId === undefined
        ? undefined
        : cached?.counters.get(counterId(cached.subscription.id, featureId));
    if (cached?.environment !== environment || counter === undefined) return null;
    counters.add(counter);
    const totals = cached.cells.get(counter.id);
    if (totals !== undefined) cells.set(counter.id, totals);
    if (model === null || models.has(model)) continue;
    const found = environment.models.get(model);
    if (found === undefined) return null;
    models.set(model, found);
  }
  const customers = [...named.values()];
  if (!customers.every(isFresh)) return null;
  return {
    environment,
    customers,
    counters: [...counters],
    cells,
    limits: limitsFor(named, requests),
    models: { names: [...models.keys()], found: combinedModels([...models.values()]) },
  };
}

/** Returns the totals by dimension values after a batch. Totals with new rows are read again, because the database assigns their `seq`. */
function cellsAfter(
  cells: UsageRows['cells'],
  counters: readonly UsageCounterRow[],
  book: UsageBook,
): UsageRows['cells'] {
  const used = counters.flatMap(({ id }) => {
    const rows = book.cells.rowsOf(id);
    return rows === null ? [] : [[id, rows] as const];
  });
  if (used.length === 0) return cells;
  const after = new Map(cells);
  for (const [id, rows] of used) {
    if (rows.length <= maxCells && rows.every(({ seq }) => seq !== null)) after.set(id, rows);
    else after.delete(id);
  }
  return after;
}

/**
 * Returns the customers with the changes from a batch that is written by the transaction with the ID `stamp`.
 */
export function renewed(customers: Customers, book: UsageBook, stamp: string): Customers {
  const { accounts, counters } = book;
  const bySubscription = Map.groupBy(counters.values(), ({ subscriptionId }) => subscriptionId);
  const limitsOf = limitsAfter(book, stamp);
  const next = new Map<string, CachedCustomer>();
  for (const [name, cached] of customers) {
    const { id } = cached.subscription;
    const own = bySubscription.get(id) ?? [];
    const account = accounts.get(id);
    // The database assigns the `seq` of a new counter, and the `seq` isn't read back.
    const changed = own.flatMap((counter) =>
      counter.seq === null ? [] : [[counter.id, { ...counter, seq: counter.seq, stamp }] as const],
    );
    next.set(name, {
      ...cached,
      account: account === undefined ? cached.account : { ...storedAccount(account), stamp },
      lots: account === undefined ? cached.lots : keptLots(account),
      counters: changed.length === 0 ? cached.counters : new Map([...cached.counters, ...changed]),
      cells: cellsAfter(cached.cells, own, book),
      limits: limitsOf({ id: cached.customer.id, subscriptionId: id, limits: cached.limits }, own),
    });
  }
  return next;
}

/** Returns the customers with the limits that a batch has read. */
export function withLimits(
  customers: Customers,
  { readLimits: rows, templates }: Pick<LoadedUsage, 'readLimits' | 'templates'>,
): Customers {
  if (rows === null) return customers;
  const limitsOf = limitsRead(rows, templates ?? []);
  return new Map(
    customers.entries().map(([name, cached]) => {
      const { customer, subscription, limits } = cached;
      return [
        name,
        { ...cached, limits: limitsOf({ id: customer.id, subscriptionId: subscription.id, limits }) },
      ];
    }),
  );
}

/** Removes the totals of counters that a batch has read again, because the totals can have changed too. */
const withoutRead = (cells: UsageRows['cells'], counters: readonly Counter[]): UsageRows['cells'] => {
  const read = new Set(counters.map(({ id }) => id));
  return new Map([...cells].filter(([id]) => !read.has(id)));
};

/** Cached rows for all environments. The least recently used rows are removed first. */
export class SnapshotCache {
  readonly #environments = new LRUCache<string, CachedEnvironment>({ max: maxEnvironments });
  readonly #customers = new LRUCache<string, CachedCustomer>({ max: maxCustomers });

  environment(id: string): CachedEnvironment | null {
    return this.#environments.get(id) ?? null;
  }

  /** Removes a customer from the cache and returns the customer. */
  take(key: string): CachedCustomer | null {
    const cached = this.#customers.get(key) ?? null;
    this.#customers.delete(key);
    return cached;
  }

  put(key: string, cached: CachedCustomer): void {
    this.#customers.set(key, cached);
  }

  /** Returns the cached environment. Creates a new one if the catalog, the limits, or the server changed. */
  #environmentOf(id: string, { needs, rows, details, simulatedTime }: DecidedUsage): CachedEnvironment {
    const [row] = rows.sets.numbers;
    if (row === undefined) throw new Error(`Environment ${id} has no counter row.`);
    const last = this.#environments.get(id);
    const { catalogVersion, limitVersion, stamp: server } = row;
    const isSame =
      last?.catalogVersion === catalogVersion && last.limitVersion === limitVersion && last.server === server;
    const environment = isSame
      ? last
      : {
          catalogVersion,
          limitVersion,
          server,
          simulatedTime,
          featureIds: new Map(),
          models: new LRUCache<string, NamedModels>({ max: maxModels }),
        };
    environment.simulatedTime = simulatedTime;
    for (const { code, id: featureId } of details.features.values())
      environment.featureIds.set(code, featureId);
    for (const name of needs.models) environment.models.set(name, modelsOf(name, rows.models));
    this.#environments.set(id, environment);
    return environment;
  }

  /**
   * Returns the customers with access that a batch has read, by ID or external ID. Keeps counters that were
   * already cached.
   */
  customersRead(environmentId: string, decided: DecidedUsage, before: Customers): Customers {
    const { needs, rows } = decided;
    const { holdings, lots, sets } = rows;
    const environment = this.#environmentOf(environmentId, decided);
    const readMs = monotonicMs();
    const held = new Map(holdings.map((holding) => [holding.subscription.customerId, holding]));
    const counters = Map.groupBy(sets.counters, ({ subscriptionId }) => subscriptionId);
    const activations = Map.groupBy(sets.activations, ({ subscriptionId }) => subscriptionId);
    const customers = new Map<string, CachedCustomer>();
    for (const [name, customer] of byReference(rows.customers, needs.customers)) {
      const holding = held.get(customer.id);
      if (holding === undefined) continue;
      const { subscription, account } = holding;
      const last = before.get(name);
      const isSame =
        last?.environment === environment && last.subscription.id === subscription.id && isFresh(last);
      customers.set(name, {
        environment,
        customer,
        subscription,
        account,
        lots: lots.get(subscription.id) ?? noLots,
        activations: activations.get(subscription.id) ?? [],
        counters: new Map([
          ...(isSame ? last.counters : []),
          ...(counters.get(subscription.id) ?? []).map((counter) => [counter.id, counter] as const),
        ]),
        cells: isSame ? withoutRead(last.cells, counters.get(subscription.id) ?? []) : new Map(),
        limits: isSame ? last.limits : null,
        readMs: isSame ? last.readMs : readMs,
      });
    }
    return customers;
  }
}
