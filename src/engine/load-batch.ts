import type { Context } from '../context.ts';
import type { Aggregate, CustomerRow } from '../domain/subscription/state/aggregate.ts';
import type { Addressed, Named } from './load-named.ts';

/** What is read of an aggregate; its customer has been locked before. */
export type FieldName = Exclude<keyof Aggregate, 'customer'>;

/** The reading of many customers' billing state: what it is for, and what it has read so far. */
export class LoadBatch {
  readonly ctx: Context;
  readonly addressed: readonly Addressed[];
  readonly named: Named;
  /** Locked, in order of seq. */
  readonly customers: readonly CustomerRow[];
  readonly customerIds: readonly string[];
  readonly #read: { [F in FieldName]?: Aggregate[F] } = {};

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

  /** What was read of all customers for a field. Throws where that stands later in the list of fields. */
  get<F extends FieldName>(field: F): Aggregate[F] {
    const value: Aggregate[F] | undefined = this.#read[field];
    if (value === undefined) throw new Error(`The field ${field} has not been read yet.`);
    return value;
  }

  set<F extends FieldName>(field: F, value: Aggregate[F]): void {
    this.#read[field] = value;
  }

  /** Ids of the rows read for a field. */
  ids(field: 'subscriptions' | 'invoices'): readonly string[] {
    return this.get(field).map(({ id }) => id);
  }

  /** The transactions named, and those of the refunds read. */
  get transactionIds(): readonly string[] {
    return [...this.named.transactions, ...this.get('refunds').map(({ transactionId }) => transactionId)];
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
