import { usesOf } from '../../customer-credits.ts';
import type { Rejection } from '../../errors.ts';
import { type InvoiceParties, laterParties } from '../../invoicing/parties.ts';
import type { ChargeRequest } from '../../provider.ts';
import type { ComputeTax, TaxPayer } from '../../tax.ts';
import type {
  Aggregate,
  ChangeSet,
  CommandResult,
  CreditUse,
  CustomerRow,
  DeadlineRow,
  Decision,
  DecisionDeps,
  EventDraft,
  ItemDetails,
  Outcome,
} from './aggregate.ts';
import {
  type AppendedTable,
  appendedTables,
  type ChangingTable,
  changingTables,
  type LoadedTable,
  loadedTables,
  type PerTable,
  perTable,
  type RowChange,
  type RowOf,
} from './tables.ts';

type Row = { readonly id: string };

/** Rows of one kind as they stand in a decision: those given, under those written so far. */
class Rows<T extends Row> {
  readonly provided: readonly T[];
  readonly changes = new Map<string, RowChange<T>>();

  constructor(provided: readonly T[]) {
    this.provided = provided;
  }

  find(id: string): T | null {
    return this.changes.get(id)?.row ?? this.provided.find((row) => row.id === id) ?? null;
  }

  all(): readonly T[] {
    if (this.changes.size === 0) return this.provided;
    const rows = this.provided.map((row) => this.changes.get(row.id)?.row ?? row);
    for (const { flag, row } of this.changes.values()) if (flag === 'new') rows.push(row);
    return rows;
  }

  add(row: T): T {
    this.changes.set(row.id, { flag: 'new', row });
    return row;
  }

  /** The row as it stands. Throws where there is none. */
  get(id: string): T {
    const row = this.find(id);
    if (row === null) throw new Error(`There is no row ${id} to read or change in this decision.`);
    return row;
  }

  /**
   * Changes fields of the row as it stands, so that earlier changes of other fields stay. Throws where there
   * is none.
   */
  patch(id: string, changes: Partial<Omit<T, 'id'>>): T {
    const row = { ...this.get(id), ...changes, id };
    this.changes.set(id, { flag: this.changes.get(id)?.flag ?? 'changed', row });
    return row;
  }
}

type DraftRows = { readonly [T in ChangingTable]: Rows<RowOf<T>> };
type DraftTables = DraftRows & { readonly [T in AppendedTable]: RowOf<T>[] };

/** The tables of a draft, one property each. */
class Tables {
  constructor(aggregate: Aggregate) {
    const provided: PerTable<ChangingTable, 'rows'> = { ...aggregate, customers: [aggregate.customer] };
    const tables: { [name: string]: Rows<Row> | Row[] } = {};
    for (const table of changingTables) tables[table] = new Rows<Row>(provided[table]);
    for (const table of appendedTables) tables[table] = [];
    Object.assign(this, tables);
  }
}

// The constructor above gives each table its property, which the compiler cannot read from a list.
const DraftBase = Tables as new (aggregate: Aggregate) => DraftTables;

const activeOf = (rows: readonly Pick<RowOf<'subscriptions'>, 'status'>[]): number =>
  rows.filter(({ status }) => status === 'active').length;

/**
 * The mutable state of one decision: the aggregate as changed so far, and the changes. It exists only inside
 * `decide` and never changes the given aggregate.
 */
export class Draft extends DraftBase {
  readonly aggregate: Aggregate;
  /** Which versions and boundaries hold. */
  readonly dueAt: Date;
  /** When it happens. */
  readonly now: Date;
  readonly newId: (prefix: string) => string;
  readonly computeTax: ComputeTax;
  /** The payer as typed in at a checkout; null for the stored customer. */
  payer: TaxPayer | null = null;
  readonly parties = new Map<string, InvoiceParties>();
  readonly events: EventDraft[] = [];
  readonly charges: ChargeRequest[] = [];
  item: ItemDetails | null = null;
  readonly #put = new Map<string, DeadlineRow>();
  readonly #removed = new Set<string>();
  readonly #ready = new Set<string>();

  constructor(aggregate: Aggregate, time: { readonly dueAt: Date; readonly now: Date }, deps: DecisionDeps) {
    super(aggregate);
    this.aggregate = aggregate;
    this.dueAt = time.dueAt;
    this.now = time.now;
    this.newId = deps.newId;
    this.computeTax = deps.tax;
  }

  get customer(): CustomerRow {
    return this.customers.changes.get(this.aggregate.customer.id)?.row ?? this.aggregate.customer;
  }

  /** What open invoices and those issued by this decision took from credits. */
  get creditUses(): readonly CreditUse[] {
    const added = usesOf(this.lines);
    return added.length === 0 ? this.aggregate.creditUses : [...this.aggregate.creditUses, ...added];
  }

  /** Adds an event that happens now. */
  emit(event: Omit<EventDraft, 'customerId' | 'occurredAt'>): void {
    this.events.push({ ...event, customerId: this.aggregate.customer.id, occurredAt: this.now });
  }

  /** Freezes parties with an invoice that is written. */
  freeze(invoiceId: string, parties: InvoiceParties): void {
    this.parties.set(invoiceId, laterParties(this.parties.get(invoiceId), parties));
  }

  /** Writes a deadline, replacing the one of the same key. */
  schedule(row: DeadlineRow): void {
    this.#removed.delete(row.id);
    this.#put.set(row.id, row);
  }

  /** Drops a deadline; one that does not exist is ignored. */
  unschedule(id: string): void {
    this.#put.delete(id);
    this.#ready.delete(id);
    if (this.aggregate.deadlines.some((row) => row.id === id)) this.#removed.add(id);
  }

  /** Drops the deadline a command was made of, if it has not been postponed since. */
  complete(command: { readonly deadlineId: string; readonly dueAt: Date }): void {
    if (this.aggregate.deadlines.some(({ id, dueAt }) => id === command.deadlineId && dueAt > command.dueAt))
      return;
    this.unschedule(command.deadlineId);
  }

  /** The deadlines of a subscription as they stand. */
  deadlinesOf(subscriptionId: string): DeadlineRow[] {
    return this.#deadlines().filter((row) => row.subscriptionId === subscriptionId);
  }

  /** Lets the parked deadlines of a subscription run again. */
  release(subscriptionId: string): void {
    for (const row of this.deadlinesOf(subscriptionId)) if (row.state === 'parked') this.#ready.add(row.id);
  }

  /** Ends the decision with success. */
  done(
    status: CommandResult['status'],
    subscriptionId: string | null,
    invoiceId: string | null = null,
  ): Decision {
    return this.finish({ kind: 'ok', status, subscriptionId, invoiceId });
  }

  /** Ends the decision with a rejection; the changes made so far go with it. */
  reject(rejection: Rejection): Decision {
    return this.finish({ kind: 'rejection', ...rejection });
  }

  /** Ends the decision. */
  finish(outcome: Outcome): Decision {
    const changes: ChangeSet = {
      ...perTable<ChangingTable, 'changes'>(changingTables, (table) => this[table].changes),
      ...perTable<AppendedTable, 'rows'>(appendedTables, (table) => this[table]),
      parties: this.parties,
      events: this.events,
      deadlines: { put: [...this.#put.values()], remove: [...this.#removed], ready: [...this.#ready] },
      charges: this.charges,
      activated: activeOf(this.subscriptions.all()) - activeOf(this.subscriptions.provided),
      item: this.item,
    };
    const aggregate: Aggregate = {
      ...this.aggregate,
      ...perTable<LoadedTable, 'rows'>(loadedTables, (table) => this[table].all()),
      customer: this.customer,
      creditUses: this.creditUses,
      deadlines: this.#deadlines(),
    };
    return { aggregate, changes, outcome };
  }

  #deadlines(): DeadlineRow[] {
    const kept = this.aggregate.deadlines
      .filter(({ id }) => !this.#put.has(id) && !this.#removed.has(id))
      .map((row): DeadlineRow => (this.#ready.has(row.id) ? { ...row, state: 'ready' } : row));
    return [...kept, ...this.#put.values()];
  }
}
