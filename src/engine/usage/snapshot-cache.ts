import { LRUCache } from 'lru-cache';
import { storedAccount } from '../../domain/lots/account.ts';
import { keptLots, noLots, type OpenLots } from '../../domain/lots/open-lots.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import { counterId } from '../../domain/usage/counter.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { monotonicMs } from '../../platform/clock.ts';
import {
  byReference,
  type Holding,
  type LoadedUsage,
  type ReadCustomer,
  type UsageNeeds,
  type UsageRows,
} from './load.ts';

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
  readonly readMs: number;
};

/** Cached rows that requests need: the environment, customers by reference, and counters. */
export type CachedRows = {
  readonly environment: CachedEnvironment;
  readonly customers: readonly CachedCustomer[];
  readonly counters: readonly Counter[];
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

// Row versions are 32-bit transaction IDs, which don't repeat within an hour.
const maxAgeMs = 3_600_000;

const isFresh = ({ readMs }: CachedCustomer): boolean => readMs > monotonicMs() - maxAgeMs;

/** Returns the cached rows that the requests need. `null` if a row isn't cached. */
export function cachedRowsOf(
  environment: CachedEnvironment,
  named: Customers,
  requests: readonly UsageRequest[],
): CachedRows | null {
  const counters = new Set<Counter>();
  for (const { customerId, featureCode } of requests) {
    const cached = named.get(customerId);
    const featureId = environment.featureIds.get(featureCode);
    const counter =
      featureId === undefined
        ? undefined
        : cached?.counters.get(counterId(cached.subscription.id, featureId));
    if (cached?.environment !== environment || counter === undefined) return null;
    counters.add(counter);
  }
  const customers = [...named.values()];
  return customers.every(isFresh) ? { environment, customers, counters: [...counters] } : null;
}

/**
 * Returns the customers with the changes from a batch that is written by the transaction with the ID `stamp`.
 */
export function renewed(customers: Customers, { accounts, counters }: UsageBook, stamp: string): Customers {
  const bySubscription = Map.groupBy(counters.values(), ({ subscriptionId }) => subscriptionId);
  const next = new Map<string, CachedCustomer>();
  for (const [name, cached] of customers) {
    const { id } = cached.subscription;
    const account = accounts.get(id);
    // The database assigns the `seq` of a new counter, and the `seq` isn't read back.
    const changed = (bySubscription.get(id) ?? []).flatMap((counter) =>
      counter.seq === null ? [] : [[counter.id, { ...counter, seq: counter.seq, stamp }] as const],
    );
    next.set(name, {
      ...cached,
      account: account === undefined ? cached.account : { ...storedAccount(account), stamp },
      lots: account === undefined ? cached.lots : keptLots(account),
      counters: changed.length === 0 ? cached.counters : new Map([...cached.counters, ...changed]),
    });
  }
  return next;
}

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
  #environmentOf(id: string, { rows, details, simulatedTime }: DecidedUsage): CachedEnvironment {
    const [row] = rows.sets.numbers;
    if (row === undefined) throw new Error(`Environment ${id} has no counter row.`);
    const last = this.#environments.get(id);
    const { catalogVersion, limitVersion, stamp: server } = row;
    const isSame =
      last?.catalogVersion === catalogVersion && last.limitVersion === limitVersion && last.server === server;
    const environment = isSame
      ? last
      : { catalogVersion, limitVersion, server, simulatedTime, featureIds: new Map() };
    environment.simulatedTime = simulatedTime;
    for (const { code, id: featureId } of details.features.values())
      environment.featureIds.set(code, featureId);
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
        readMs: isSame ? last.readMs : readMs,
      });
    }
    return customers;
  }
}
