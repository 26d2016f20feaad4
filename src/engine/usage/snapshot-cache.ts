import { LRUCache } from 'lru-cache';
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

// The rows a batch read and wrote, cached in the process with the version of each, so that the next batch is decided at once. They are only a
// guess: the transaction that writes locks the rows as ever, and fails where one of them has another version (verify.ts).

type Counter = UsageRows['sets']['counters'][number];

/** A cached environment. Its customers are usable for as long as its catalog and its server are these. */
export type CachedEnvironment = {
  readonly catalogVersion: string;
  readonly server: string;
  /** Where the test clock stood last. */
  simulatedTime: Date | null;
  /** Features by code. */
  readonly featureIds: Map<string, string>;
};

/** The cached rows of a customer with access. They are replaced, never changed. */
export type CachedCustomer = {
  readonly environment: CachedEnvironment;
  readonly customer: ReadCustomer;
  readonly subscription: Holding['subscription'];
  readonly activations: UsageRows['sets']['activations'];
  readonly account: Holding['account'];
  /** By id. */
  readonly counters: ReadonlyMap<string, Counter>;
  readonly readMs: number;
};

/** The cached rows requests name: the environment, its customers, one for each identifier, and the counters. */
export type CachedRows = {
  readonly environment: CachedEnvironment;
  readonly customers: readonly CachedCustomer[];
  readonly counters: readonly Counter[];
};

/** Cached customers by the names requests use. */
export type Customers = ReadonlyMap<string, CachedCustomer>;

/** What a batch decided on, what it is going to write, and where the test clock stood. */
export type DecidedUsage = {
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
  readonly details: LoadedUsage;
  readonly book: UsageBook;
  readonly simulatedTime: Date | null;
};

const maxCustomers = 10_000;
const maxEnvironments = 200;

// The server numbers transactions with 32 bits, which it does not go through in an hour: until then a number names one of them.
const maxAgeMs = 3_600_000;

const isFresh = ({ readMs }: CachedCustomer): boolean => readMs > monotonicMs() - maxAgeMs;

/** The rows the requests name among customers, or null where one is not there. */
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

/** Customers as a book leaves them, in the transaction with this number. */
export function renewed(customers: Customers, { accounts, counters }: UsageBook, stamp: string): Customers {
  const bySubscription = Map.groupBy(counters.values(), ({ subscriptionId }) => subscriptionId);
  const next = new Map<string, CachedCustomer>();
  for (const [name, cached] of customers) {
    const { id } = cached.subscription;
    const account = accounts.get(id);
    // A new counter gets its number in the database, which is not read back.
    const changed = (bySubscription.get(id) ?? []).flatMap((counter) =>
      counter.seq === null ? [] : [[counter.id, { ...counter, seq: counter.seq, stamp }] as const],
    );
    next.set(name, {
      ...cached,
      account: account === undefined ? cached.account : { ...account, stamp },
      counters: changed.length === 0 ? cached.counters : new Map([...cached.counters, ...changed]),
    });
  }
  return next;
}

/** The cached rows of all environments, the least used of which make room. */
export class SnapshotCache {
  readonly #environments = new LRUCache<string, CachedEnvironment>({ max: maxEnvironments });
  readonly #customers = new LRUCache<string, CachedCustomer>({ max: maxCustomers });

  environment(id: string): CachedEnvironment | null {
    return this.#environments.get(id) ?? null;
  }

  /** Takes a customer out. */
  take(key: string): CachedCustomer | null {
    const cached = this.#customers.get(key) ?? null;
    this.#customers.delete(key);
    return cached;
  }

  put(key: string, cached: CachedCustomer): void {
    this.#customers.set(key, cached);
  }

  /** The environment as it was read, another one where its catalog or its server is. */
  #environmentOf(id: string, { rows, details, simulatedTime }: DecidedUsage): CachedEnvironment {
    const [row] = rows.sets.numbers;
    if (row === undefined) throw new Error(`Environment ${id} has no counter row.`);
    const last = this.#environments.get(id);
    const isSame = last?.catalogVersion === row.catalogVersion && last.server === row.stamp;
    const environment = isSame
      ? last
      : { catalogVersion: row.catalogVersion, server: row.stamp, simulatedTime, featureIds: new Map() };
    environment.simulatedTime = simulatedTime;
    for (const { code, id: featureId } of details.features.values())
      environment.featureIds.set(code, featureId);
    this.#environments.set(id, environment);
    return environment;
  }

  /** The customers with access as they were read, by the identifiers requests used, and with the counters cached before. */
  customersRead(environmentId: string, decided: DecidedUsage, before: Customers): Customers {
    const { needs, rows } = decided;
    const { holdings, sets } = rows;
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
