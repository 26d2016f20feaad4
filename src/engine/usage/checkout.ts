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
} from './snapshot-cache.ts';

// The customers of a batch belong to it until it ends. A batch that names some of them meanwhile decides on what that one decided, while that is
// being written, and writes once it has committed: only then are the versions of its rows known.

/** How a batch takes customers: whether it may be decided without reading, and whether others may decide on what it decides. */
export type CheckoutTerms = { readonly isUsable: boolean; readonly isFollowed: boolean };

/** What a batch tells those that follow it, once: its customers, made when they are asked for, or null where it does not say. */
type Told = PromiseWithResolvers<(() => Customers) | null>;

/** The customers a batch names, from the cache or from the batches under way that name them. */
export class Checkout {
  readonly #held: HeldCustomers;
  readonly #environmentId: string;
  readonly #needs: UsageNeeds;
  readonly #requests: readonly UsageRequest[];
  readonly #isUsable: boolean;
  /** Those that were cached. */
  readonly #cached = new Map<string, CachedCustomer>();
  /** Who has the others. */
  readonly #holders = new Map<string, Checkout>();
  /** Their rows as it decides on them, as they were told or read. */
  #customers: Customers | null = null;
  /** What its requests name of them, unless it is read. */
  #rows: CachedRows | null = null;
  #decision: DecidedUsage | null = null;
  readonly #decided: Told = Promise.withResolvers();
  readonly #ended: Told = Promise.withResolvers();

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
    this.#isUsable = isUsable && needs.models.length === 0;
    if (!isFollowed) this.#decided.resolve(null);
    for (const name of needs.customers) {
      const { holder, cached } = held.take(`${environmentId} ${name}`, this);
      if (holder !== null) this.#holders.set(name, holder);
      else if (cached !== null) this.#cached.set(name, cached);
    }
  }

  /** The rows to decide on, once the batches before are decided; null where they have to be read. */
  async rows(): Promise<CachedRows | null> {
    if (!this.#isUsable || this.#cached.size + this.#holders.size < this.#needs.customers.length) return null;
    const customers = await this.#customersFrom((holder) => holder.#decided);
    this.#rows = customers === null ? null : this.#rowsOf(customers);
    if (this.#rows !== null) this.#customers = customers;
    return this.#rows;
  }

  /** The same rows with their versions, once the batches before have committed; null where one of them has not. */
  async committed(): Promise<CachedRows | null> {
    // Without a batch before, their versions were known from the beginning.
    if (this.#holders.size === 0) return this.#rows;
    this.#customers = await this.#customersFrom((holder) => holder.#ended);
    return this.#customers === null ? null : this.#rowsOf(this.#customers);
  }

  /** Tells what was decided to the batches that follow. */
  decide(decision: DecidedUsage): void {
    const customers =
      this.#customers ?? this.#held.cache.customersRead(this.#environmentId, decision, this.#cached);
    this.#customers = customers;
    this.#decision = decision;
    // What they decide does not depend on the version.
    this.#decided.resolve(() => renewed(customers, decision.book, ''));
  }

  /** Ends it: caches what was written in the transaction with this number, and with null drops the customers. */
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

  /** The customers that were cached, and those the batches before tell; null where one does not. */
  async #customersFrom(tell: (holder: Checkout) => Told): Promise<Customers | null> {
    const told = new Map<Checkout, Customers | null>();
    for (const holder of new Set(this.#holders.values()))
      told.set(holder, (await tell(holder).promise)?.() ?? null);
    const all = new Map(this.#cached);
    for (const [name, holder] of this.#holders) {
      const cached = told.get(holder)?.get(name);
      if (cached === undefined) return null;
      all.set(name, cached);
    }
    return all;
  }
}

/** The cached customers, and the latest batch under way that names each of the others. */
export class HeldCustomers {
  readonly cache = new SnapshotCache();
  readonly #holders = new Map<string, Checkout>();

  /** Gives a customer to a batch: who has had it, else as it is cached. */
  take(key: string, checkout: Checkout): { holder: Checkout | null; cached: CachedCustomer | null } {
    const holder = this.#holders.get(key) ?? null;
    this.#holders.set(key, checkout);
    return { holder, cached: this.cache.take(key) };
  }

  /** Takes a customer back from a batch, unless another one has it by now. */
  leave(key: string, checkout: Checkout, cached: CachedCustomer | null): void {
    if (this.#holders.get(key) !== checkout) return;
    this.#holders.delete(key);
    if (cached !== null) this.cache.put(key, cached);
  }
}
