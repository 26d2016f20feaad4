import type { App } from '../../context.ts';
import type { UsageBook } from '../../domain/consumption/book.ts';
import { counterId } from '../../domain/consumption/counter.ts';
import type { UsageRequest } from '../../domain/consumption/record.ts';
import { monotonicMs } from '../../infra/clock.ts';
import { keepLast } from '../../infra/keep-last.ts';
import { byReference, type Holding, type LoadedUsage, type ReadCustomer, type UsageNeeds, type UsageRows } from './load.ts';

// What a flush found and wrote is kept in the process with the version of each row, so that the next one decides at once. Nothing kept is
// believed for good: the transaction that writes locks the rows as ever, and fails where one of them has another version (believe.ts).

type Counter = UsageRows['sets']['counters'][number];

/** What is kept of an environment. Its customers count for as long as its catalogue and its server are these. */
export type KeptEnvironment = {
  readonly catalogVersion: string;
  readonly server: string;
  /** Where the test clock stood last. */
  simulatedTime: Date | null;
  /** Features by code. */
  readonly featureIds: Map<string, string>;
};

/** What is kept of a customer with access. */
export type KeptCustomer = {
  readonly environment: KeptEnvironment;
  readonly customer: ReadCustomer;
  readonly subscription: Holding['subscription'];
  readonly activations: UsageRows['sets']['activations'];
  account: Holding['account'];
  /** By id. */
  readonly counters: Map<string, Counter>;
  readonly readMs: number;
};

/** What a flush decides on without asking: the environment, its customers, one for each identifier, and the counters that are named. */
export type Believed = {
  readonly environment: KeptEnvironment;
  readonly customers: readonly KeptCustomer[];
  readonly counters: readonly Counter[];
};

/** What a flush decided on and wrote, in a transaction with this number, and where the test clock stood. */
export type Recorded = {
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
  readonly facts: LoadedUsage;
  readonly book: UsageBook;
  readonly stamp: string;
  readonly simulatedTime: Date | null;
};

/** A flush's hold on what is kept of the customers it names. */
export type Loan = {
  /** What it may decide on; null where something is not kept. */
  readonly believed: Believed | null;
  /** Ends the hold, and keeps what was recorded; without that, what is kept of the customers is forgotten. */
  readonly end: (recorded: Recorded | null) => void;
};

const maxCustomers = 10_000;
const maxEnvironments = 200;

// The server numbers transactions with 32 bits, which it does not go through in an hour: until then a number names one of them.
const maxAgeMs = 3_600_000;

/** What the requests name, or null where something of it is not kept. */
function believedOf(
  environment: KeptEnvironment,
  taken: ReadonlyMap<string, KeptCustomer>,
  requests: readonly UsageRequest[],
): Believed | null {
  const counters = new Set<Counter>();
  for (const { customerId, featureCode } of requests) {
    const kept = taken.get(customerId);
    const featureId = environment.featureIds.get(featureCode);
    const counter = featureId === undefined ? undefined : kept?.counters.get(counterId(kept.subscription.id, featureId));
    if (kept?.environment !== environment || counter === undefined) return null;
    counters.add(counter);
  }
  const customers = [...taken.values()];
  return customers.every(isFresh) ? { environment, customers, counters: [...counters] } : null;
}

const isFresh = ({ readMs }: KeptCustomer): boolean => readMs > monotonicMs() - maxAgeMs;

/** The rows of a book as they are stored now. */
const written = <T extends object>(row: T, stamp: string): T & { readonly stamp: string } => ({ ...row, stamp });

/** Puts the customers where a book left them. */
function renew(customers: Iterable<KeptCustomer>, { accounts, counters }: UsageBook, stamp: string): void {
  const bySubscription = Map.groupBy(counters.values(), ({ subscriptionId }) => subscriptionId);
  for (const kept of customers) {
    const { id } = kept.subscription;
    const account = accounts.get(id);
    if (account !== undefined) kept.account = written(account, stamp);
    for (const { seq, ...counter } of bySubscription.get(id) ?? []) {
      // One that was not stored before has been given a number nobody told.
      if (seq !== null) kept.counters.set(counter.id, written({ ...counter, seq }, stamp));
    }
  }
}

/** What a process keeps of the usage of all environments. */
class Keeper {
  readonly #environments = new Map<string, KeptEnvironment>();
  readonly #customers = new Map<string, KeptCustomer>();
  /** How many flushes under way name a customer: one beside another would find what that one is about to change. */
  readonly #busy = new Map<string, number>();

  borrow(environmentId: string, needs: UsageNeeds, requests: readonly UsageRequest[], isBelieved: boolean): Loan {
    const taken = new Map<string, KeptCustomer>();
    for (const name of needs.customers) {
      const key = `${environmentId} ${name}`;
      this.#busy.set(key, (this.#busy.get(key) ?? 0) + 1);
      const kept = this.#customers.get(key);
      if (kept !== undefined) taken.set(name, kept);
      this.#customers.delete(key);
    }
    const environment = this.#environments.get(environmentId);
    const isKept = isBelieved && environment !== undefined && taken.size === needs.customers.length && needs.models.length === 0;
    const believed = isKept ? believedOf(environment, taken, requests) : null;
    return {
      believed,
      end: (recorded) => {
        for (const name of needs.customers) this.#leave(`${environmentId} ${name}`);
        if (recorded === null) return;
        const customers = believed === null ? this.#read(environmentId, recorded, taken) : taken;
        renew(customers.values(), recorded.book, recorded.stamp);
        for (const [name, kept] of customers) this.#put(`${environmentId} ${name}`, kept);
      },
    };
  }

  #leave(key: string): void {
    const others = (this.#busy.get(key) ?? 1) - 1;
    if (others === 0) this.#busy.delete(key);
    else this.#busy.set(key, others);
  }

  #put(key: string, kept: KeptCustomer): void {
    if (this.#busy.has(key)) return;
    keepLast(this.#customers, key, kept, maxCustomers);
  }

  /** The environment as it was read, another one where its catalogue or its server is. */
  #environmentOf(id: string, { rows, facts, simulatedTime }: Recorded): KeptEnvironment {
    const [row] = rows.sets.numbers;
    if (row === undefined) throw new Error(`Environment ${id} has no counter row.`);
    const last = this.#environments.get(id);
    const isSame = last?.catalogVersion === row.catalogVersion && last.server === row.stamp;
    const environment = isSame ? last : { catalogVersion: row.catalogVersion, server: row.stamp, simulatedTime, featureIds: new Map() };
    environment.simulatedTime = simulatedTime;
    for (const { code, id: featureId } of facts.features.values()) environment.featureIds.set(code, featureId);
    keepLast(this.#environments, id, environment, maxEnvironments);
    return environment;
  }

  /** The customers with access as they were read, by the identifiers requests used, and with the counters kept before. */
  #read(environmentId: string, recorded: Recorded, before: ReadonlyMap<string, KeptCustomer>): Map<string, KeptCustomer> {
    const { needs, rows } = recorded;
    const { holdings, sets } = rows;
    const environment = this.#environmentOf(environmentId, recorded);
    const readMs = monotonicMs();
    const held = new Map(holdings.map((holding) => [holding.subscription.customerId, holding]));
    const counters = Map.groupBy(sets.counters, ({ subscriptionId }) => subscriptionId);
    const activations = Map.groupBy(sets.activations, ({ subscriptionId }) => subscriptionId);
    const customers = new Map<string, KeptCustomer>();
    for (const [name, customer] of byReference(rows.customers, needs.customers)) {
      const holding = held.get(customer.id);
      if (holding === undefined) continue;
      const { subscription, account } = holding;
      const last = before.get(name);
      const isSame = last?.environment === environment && last.subscription.id === subscription.id && isFresh(last);
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

const keepers = new WeakMap<App, Keeper>();

/** What the process keeps. */
export const keeperOf = (app: App): Keeper => keepers.getOrInsertComputed(app, () => new Keeper());
