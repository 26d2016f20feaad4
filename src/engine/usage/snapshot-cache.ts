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

/** The cached rows of a customer with access. */
export type CachedCustomer = {
  readonly environment: CachedEnvironment;
  readonly customer: ReadCustomer;
  readonly subscription: Holding['subscription'];
  readonly activations: UsageRows['sets']['activations'];
  account: Holding['account'];
  /** By id. */
  readonly counters: Map<string, Counter>;
  readonly readMs: number;
};

/** The cached rows requests name: the environment, its customers, one for each identifier, and the counters. */
export type CachedRows = {
  readonly environment: CachedEnvironment;
  readonly customers: readonly CachedCustomer[];
  readonly counters: readonly Counter[];
};

/** What a batch decided on and wrote, in a transaction with this number, and where the test clock stood. */
export type RecordedBatch = {
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
  readonly details: LoadedUsage;
  readonly book: UsageBook;
  readonly stamp: string;
  readonly simulatedTime: Date | null;
};

/** The cached rows of the customers a batch names, which no other batch gets meanwhile. */
export type Checkout = {
  /** The rows; null where one that is needed is not cached. */
  readonly rows: CachedRows | null;
  /** Ends the checkout and caches what was recorded; with null the customers are dropped. */
  readonly end: (recorded: RecordedBatch | null) => void;
};

const maxCustomers = 10_000;
const maxEnvironments = 200;

// The server numbers transactions with 32 bits, which it does not go through in an hour: until then a number names one of them.
const maxAgeMs = 3_600_000;

/** The rows the requests name, or null where one is not cached. */
function cachedRowsOf(
  environment: CachedEnvironment,
  taken: ReadonlyMap<string, CachedCustomer>,
  requests: readonly UsageRequest[],
): CachedRows | null {
  const counters = new Set<Counter>();
  for (const { customerId, featureCode } of requests) {
    const cached = taken.get(customerId);
    const featureId = environment.featureIds.get(featureCode);
    const counter =
      featureId === undefined
        ? undefined
        : cached?.counters.get(counterId(cached.subscription.id, featureId));
    if (cached?.environment !== environment || counter === undefined) return null;
    counters.add(counter);
  }
  const customers = [...taken.values()];
  return customers.every(isFresh) ? { environment, customers, counters: [...counters] } : null;
}

const isFresh = ({ readMs }: CachedCustomer): boolean => readMs > monotonicMs() - maxAgeMs;

/** Puts the customers where a book left them. */
function renew(customers: Iterable<CachedCustomer>, { accounts, counters }: UsageBook, stamp: string): void {
  const bySubscription = Map.groupBy(counters.values(), ({ subscriptionId }) => subscriptionId);
  for (const cached of customers) {
    const { id } = cached.subscription;
    const account = accounts.get(id);
    if (account !== undefined) cached.account = { ...account, stamp };
    for (const counter of bySubscription.get(id) ?? []) {
      const { seq } = counter;
      // A new counter got its number in the database, which was not read back.
      if (seq !== null) cached.counters.set(counter.id, { ...counter, seq, stamp });
    }
  }
}

/** The cached rows of all environments. */
export class SnapshotCache {
  readonly #environments = new LRUCache<string, CachedEnvironment>({ max: maxEnvironments });
  readonly #customers = new LRUCache<string, CachedCustomer>({ max: maxCustomers });
  /** How many batches under way name a customer: one beside another would find what that one is about to change. */
  readonly #busy = new Map<string, number>();

  /** Takes the cached rows of the customers that are named, unless `isUsable` says they are not to be used. */
  checkOut(
    environmentId: string,
    needs: UsageNeeds,
    requests: readonly UsageRequest[],
    isUsable: boolean,
  ): Checkout {
    const taken = new Map<string, CachedCustomer>();
    for (const name of needs.customers) {
      const key = `${environmentId} ${name}`;
      this.#busy.set(key, (this.#busy.get(key) ?? 0) + 1);
      const cached = this.#customers.get(key);
      if (cached !== undefined) taken.set(name, cached);
      this.#customers.delete(key);
    }
    const environment = this.#environments.get(environmentId);
    const isCached =
      isUsable &&
      environment !== undefined &&
      taken.size === needs.customers.length &&
      needs.models.length === 0;
    const rows = isCached ? cachedRowsOf(environment, taken, requests) : null;
    return {
      rows,
      end: (recorded) => {
        for (const name of needs.customers) this.#leave(`${environmentId} ${name}`);
        if (recorded === null) return;
        const customers = rows === null ? this.#read(environmentId, recorded, taken) : taken;
        renew(customers.values(), recorded.book, recorded.stamp);
        for (const [name, cached] of customers) this.#put(`${environmentId} ${name}`, cached);
      },
    };
  }

  #leave(key: string): void {
    const others = (this.#busy.get(key) ?? 1) - 1;
    if (others === 0) this.#busy.delete(key);
    else this.#busy.set(key, others);
  }

  #put(key: string, cached: CachedCustomer): void {
    if (this.#busy.has(key)) return;
    this.#customers.set(key, cached);
  }

  /** The environment as it was read, another one where its catalog or its server is. */
  #environmentOf(id: string, { rows, details, simulatedTime }: RecordedBatch): CachedEnvironment {
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
  #read(
    environmentId: string,
    recorded: RecordedBatch,
    before: ReadonlyMap<string, CachedCustomer>,
  ): Map<string, CachedCustomer> {
    const { needs, rows } = recorded;
    const { holdings, sets } = rows;
    const environment = this.#environmentOf(environmentId, recorded);
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
