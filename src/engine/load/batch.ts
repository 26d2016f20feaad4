import type { Aggregate, CustomerRow } from '../../domain/subscription/state/aggregate.ts';
import type { Context } from '../../request/context.ts';
import type { Addressed, Named } from './named.ts';

/** Aggregate field that is loaded after the customer is locked. */
export type FieldName = Exclude<keyof Aggregate, 'customer'>;

/**
 * Loads the billing state of many customers. Field readers start in order, and each reader waits for the fields that
 * it depends on. Independent SQL statements are sent together.
 */
export class LoadBatch {
  readonly ctx: Context;
  readonly addressed: readonly Addressed[];
  readonly named: Named;
  /** Locked customers in order of `seq`. */
  readonly customers: readonly CustomerRow[];
  readonly customerIds: readonly string[];
  /** False if only commands run that don't read the totals of usage. */
  readonly readsUsage: boolean;
  readonly #reading = new Map<FieldName, Promise<Aggregate[FieldName]>>();

  constructor(
    ctx: Context,
    addressed: readonly Addressed[],
    named: Named,
    customers: readonly CustomerRow[],
    readsUsage: boolean,
  ) {
    this.ctx = ctx;
    this.addressed = addressed;
    this.named = named;
    this.customers = customers;
    this.customerIds = customers.map(({ id }) => id);
    this.readsUsage = readsUsage;
  }

  /**
   * Returns the loaded rows of a field for all customers. Throws if the field's reader hasn't started,
   * because the field comes later in the list.
   */
  async get<F extends FieldName>(field: F): Promise<Aggregate[F]> {
    const value = this.#reading.get(field);
    if (value === undefined) throw new Error(`The field ${field} is read later.`);
    // The promise was stored under the same field name, so it has the field's type.
    return value as Promise<Aggregate[F]>;
  }

  begin<F extends FieldName>(field: F, value: Promise<Aggregate[F]>): void {
    this.#reading.set(field, value);
  }

  async ids(field: 'subscriptions' | 'invoices'): Promise<readonly string[]> {
    return (await this.get(field)).map(({ id }) => id);
  }

  /** Returns the IDs of the referenced transactions and of the loaded refunds' transactions. */
  async transactionIds(): Promise<readonly string[]> {
    const refunds = await this.get('refunds');
    return [...this.named.transactions, ...refunds.map(({ transactionId }) => transactionId)];
  }
}

/** Returns a reader that executes its SQL statements only once per batch, so that several fields can share it. */
export function oncePerBatch<T>(read: (batch: LoadBatch) => Promise<T>): (batch: LoadBatch) => Promise<T> {
  const known = new WeakMap<LoadBatch, Promise<T>>();
  return (batch) => {
    const running = known.get(batch) ?? read(batch);
    known.set(batch, running);
    return running;
  };
}
