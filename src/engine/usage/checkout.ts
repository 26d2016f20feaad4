import type { UsageRequest } from '../../domain/usage/record.ts';
import type { UsageNeeds } from './load.ts';
import {
  type CachedCustomer,
  type CachedRows,
  type Customers,
  cachedRowsOf,
  type DecidedUsage,
  renewed,
  SnapshotCache,
  withLimits,
} from './snapshot-cache.ts';

// Assignment of customers to batches. Each batch uses its customers exclusively until the batch ends. The
// next batch with the same customers can be decided on the previous batch's result while the previous batch
// is still being written. The next batch must not be written before the previous batch has been committed,
// because row versions are unknown until then.

/**
 * `isUsable`: the batch may be decided without reading rows. `isFollowed`: other batches may be decided on
 * its result.
 */
export type CheckoutTerms = { readonly isUsable: boolean; readonly isFollowed: boolean };

/**
 * Customers that a batch passes to later batches, determined on request. `null` if the batch passes no
 * customers.
 */
type PassedCustomers = PromiseWithResolvers<(() => Customers) | null>;

/** Customers in a batch, from the cache or from previous batches. */
export class Checkout {
  readonly #held: HeldCustomers;
  readonly #environmentId: string;
  readonly #needs: UsageNeeds;
  readonly #requests: readonly UsageRequest[];
  readonly #isUsable: boolean;
  /** Customers of the batch that were found in the cache, by ID or external ID. */
  readonly #cached = new Map<string, CachedCustomer>();
  /** Previous batches that use the customers missing from the cache. */
  readonly #holders = new Map<string, Checkout>();
  /** Customers that the batch is decided on, from previous batches or from the database. */
  #customers: Customers | null = null;
  /** Cached rows that the requests need. `null` if the rows must be read. */
  #rows: CachedRows | null = null;
  #decision: DecidedUsage | null = null;
  readonly #decided: PassedCustomers = Promise.withResolvers();
  readonly #ended: PassedCustomers = Promise.withResolvers();

  constructor(
    held: HeldCustomers,
    environmentId: string,
    needs: UsageNeeds,
    requests: readonly UsageRequest[],
    { isUsable, isFollowed }: CheckoutTerms,
  ) {
    this.#held = held;
    this.#environmentId = environmentId;
    this.#needs = needs;
    this.#requests = requests;
    this.#isUsable = isUsable;
    if (!isFollowed) this.#decided.resolve(null);
    for (const name of needs.customers) {
      const { holder, cached } = held.take(`${environmentId} ${name}`, this);
      if (holder !== null) this.#holders.set(name, holder);
      else if (cached !== null) this.#cached.set(name, cached);
    }
  }

  /**
   * Waits until the previous batches are decided and returns the rows for the decision. `null` if the rows
   * must be read.
   */
  async rows(): Promise<CachedRows | null> {
    if (!this.#isUsable || this.#cached.size + this.#holders.size < this.#needs.customers.length) return null;
    const customers = await this.#customersFrom((holder) => holder.#decided);
    this.#rows = customers === null ? null : this.#rowsOf(customers);
    if (this.#rows !== null) this.#customers = customers;
    return this.#rows;
  }

  /**
   * Waits until the previous batches have been committed and returns the rows with their versions. `null` if
   * a batch failed.
   */
  async committed(): Promise<CachedRows | null> {
    // Without previous batches, the rows' versions are already known.
    if (this.#holders.size === 0) return this.#rows;
    this.#customers = await this.#customersFrom((holder) => holder.#ended);
    return this.#customers === null ? null : this.#rowsOf(this.#customers);
  }

  /** Passes the result of the decision to the next batches. */
  decide(decision: DecidedUsage): void {
    const known =
      this.#customers ?? this.#held.cache.customersRead(this.#environmentId, decision, this.#cached);
    const customers = withLimits(known, decision.details);
    this.#customers = customers;
    this.#decision = decision;
    // The decisions of the next batches don't depend on the row version.
    this.#decided.resolve(() => renewed(customers, decision.book, ''));
  }

  /**
   * Ends the checkout. Caches the rows that the transaction with the ID `stamp` wrote. If `stamp` is `null`,
   * discards the customers.
   */
  end(stamp: string | null): void {
    const [customers, decision] = [this.#customers, this.#decision];
    const left =
      stamp === null || customers === null || decision === null
        ? null
        : renewed(customers, decision.book, stamp);
    this.#decided.resolve(null);
    this.#ended.resolve(left === null ? null : () => left);
    this.#holders.clear();
    for (const name of this.#needs.customers)
      this.#held.leave(`${this.#environmentId} ${name}`, this, left?.get(name) ?? null);
  }

  #rowsOf(customers: Customers): CachedRows | null {
    const environment = this.#held.cache.environment(this.#environmentId);
    return environment === null ? null : cachedRowsOf(environment, customers, this.#requests);
  }

  /** Returns the customers from the cache and from previous batches. `null` if a customer isn't available. */
  async #customersFrom(pick: (holder: Checkout) => PassedCustomers): Promise<Customers | null> {
    const passed = new Map<Checkout, Customers | null>();
    for (const holder of new Set(this.#holders.values()))
      passed.set(holder, (await pick(holder).promise)?.() ?? null);
    const all = new Map(this.#cached);
    for (const [name, holder] of this.#holders) {
      const cached = passed.get(holder)?.get(name);
      if (cached === undefined) return null;
      all.set(name, cached);
    }
    return all;
  }
}

/** Cache of customers that no batch is using, and the latest batch for each customer in use. */
export class HeldCustomers {
  readonly cache = new SnapshotCache();
  readonly #holders = new Map<string, Checkout>();

  /** Assigns a customer to a batch. Returns the customer's previous batch and the cached rows. */
  take(key: string, checkout: Checkout): { holder: Checkout | null; cached: CachedCustomer | null } {
    const holder = this.#holders.get(key) ?? null;
    this.#holders.set(key, checkout);
    return { holder, cached: this.cache.take(key) };
  }

  /** Returns a customer to the cache. Does nothing if a later batch uses the customer. */
  leave(key: string, checkout: Checkout, cached: CachedCustomer | null): void {
    if (this.#holders.get(key) !== checkout) return;
    this.#holders.delete(key);
    if (cached !== null) this.cache.put(key, cached);
  }
}
