import type { Context } from '../context.ts';
import type { Aggregate, CustomerRow } from '../domain/subscription/state/aggregate.ts';
import type { Addressed, Named } from './load-named.ts';

/** What is read of an aggregate; its customer has been locked before. */
export type FieldName = Exclude<keyof Aggregate, 'customer'>;

/**
 * The reading of many customers' billing state: what it is for, and the fields being read. Readers of all fields are started in their order, and wait for
 * the fields they need: what needs no answer goes to the database together.
 */
export class LoadBatch {
  readonly ctx: Context;
  readonly addressed: readonly Addressed[];
  readonly named: Named;
  /** Locked, in order of seq. */
  readonly customers: readonly CustomerRow[];
  readonly customerIds: readonly string[];
  readonly #reading = new Map<FieldName, Promise<Aggregate[FieldName]>>();

  constructor(
    ctx: Context,
    addressed: readonly Addressed[],
    named: Named,
    customers: readonly CustomerRow[],
  ) {
    this.ctx = ctx;
    this.addressed = addressed;
    this.named = named;
    this.customers = customers;
    this.customerIds = customers.map(({ id }) => id);
  }

  /** What is read of all customers for a field. Throws where that stands later in the list of fields. */
  async get<F extends FieldName>(field: F): Promise<Aggregate[F]> {
    const value = this.#reading.get(field);
    if (value === undefined) throw new Error(`The field ${field} is read later.`);
    // What was noted under a field is its own.
    return value as Promise<Aggregate[F]>;
  }

  /** Notes that a field is being read. */
  begin<F extends FieldName>(field: F, value: Promise<Aggregate[F]>): void {
    this.#reading.set(field, value);
  }

  /** Ids of the rows read for a field. */
  async ids(field: 'subscriptions' | 'invoices'): Promise<readonly string[]> {
    return (await this.get(field)).map(({ id }) => id);
  }

  /** The transactions named, and those of the refunds read. */
  async transactionIds(): Promise<readonly string[]> {
    const refunds = await this.get('refunds');
    return [...this.named.transactions, ...refunds.map(({ transactionId }) => transactionId)];
  }
}

/** A reader of several fields by the same statements, which run once per batch. */
export function oncePerBatch<T>(read: (batch: LoadBatch) => Promise<T>): (batch: LoadBatch) => Promise<T> {
  const known = new WeakMap<LoadBatch, Promise<T>>();
  return (batch) => {
    const running = known.get(batch) ?? read(batch);
    known.set(batch, running);
    return running;
  };
}
