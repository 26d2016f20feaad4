import type { Rejection } from '../../errors/errors.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import { usesOf } from '../../invoicing/customer-credits.ts';
import { type InvoiceParties, laterParties } from '../../invoicing/parties.ts';
import type { ChargeRequest } from '../../payments/provider.ts';
import type { ComputeTax, TaxPayer } from '../../tax/tax.ts';
import type {
  Aggregate,
  CarriedUsage,
  ChangeSet,
  CommandResult,
  CreditUse,
  CustomerRow,
  DeadlineRow,
  Decision,
  DecisionDeps,
  ItemDetails,
  Outcome,
  PricedCorrection,
} from './aggregate.ts';
import {
  type AppendedTable,
  appendedTables,
  type ChangingTable,
  changingTables,
  type LoadedTable,
  loadedTables,
  type PerTable,
  type RowChange,
  type RowChanges,
  type RowOf,
} from './tables.ts';

type Row = { readonly id: string };

const noChanges: RowChanges<never> = new Map();

/** Rows of one table during a decision. Rows that were written replace the loaded rows. */
class Rows<T extends Row> {
  readonly provided: readonly T[];
  /** Created with the first change, because a decision changes few tables. */
  #changes: Map<string, RowChange<T>> | null = null;

  constructor(provided: readonly T[]) {
    this.provided = provided;
  }

  get changes(): RowChanges<T> {
    return this.#changes ?? noChanges;
  }

  #put(change: RowChange<T>): T {
    this.#changes ??= new Map();
    this.#changes.set(change.row.id, change);
    return change.row;
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
    return this.#put({ flag: 'new', row });
  }

  /** Returns the current version of a row. Throws if the row doesn't exist. */
  get(id: string): T {
    const row = this.find(id);
    if (row === null) throw new Error(`There is no row ${id} to read or change in this decision.`);
    return row;
  }

  /**
   * Changes fields in the current version of a row. Earlier changes to other fields are kept. Throws if the
   * row doesn't exist.
   */
  patch(id: string, changes: Partial<Omit<T, 'id'>>): T {
    const row = { ...this.get(id), ...changes, id };
    return this.#put({ flag: this.changes.get(id)?.flag ?? 'changed', row });
  }
}

type DraftRows = { readonly [T in ChangingTable]: Rows<RowOf<T>> };
type Written = PerTable<ChangingTable, 'changes'> & PerTable<AppendedTable, 'rows'>;
type DraftTables = DraftRows & { readonly [T in AppendedTable]: RowOf<T>[] };

/** Base class of a draft, with one property per table. */
class Tables {
  constructor(aggregate: Aggregate) {
    const provided: PerTable<ChangingTable, 'rows'> = { ...aggregate, customers: [aggregate.customer] };
    const tables: { [name: string]: Rows<Row> | Row[] } = {};
    for (const table of changingTables) tables[table] = new Rows<Row>(provided[table]);
    for (const table of appendedTables) tables[table] = [];
    Object.assign(this, tables);
  }
}

// The constructor creates the properties in a loop, so the compiler can't infer them.
const DraftBase = Tables as new (aggregate: Aggregate) => DraftTables;

const activeOf = (rows: readonly Pick<RowOf<'subscriptions'>, 'status'>[]): number =>
  rows.filter(({ status }) => status === 'active').length;

/**
 * Mutable state of one decision: the changes so far, and the aggregate with these changes applied. Exists
 * only inside `decide` and never modifies the original aggregate.
 */
export class Draft extends DraftBase {
  readonly aggregate: Aggregate;
  /** Time that determines period boundaries and the catalog versions that apply. */
  readonly dueAt: Date;
  readonly now: Date;
  readonly newId: (prefix: string) => string;
  readonly computeTax: ComputeTax;
  /** Payer details that were entered at a checkout. `null` if the customer's stored details apply. */
  payer: TaxPayer | null = null;
  readonly parties = new Map<string, InvoiceParties>();
  readonly carried: CarriedUsage[] = [];
  readonly pricedCorrections: PricedCorrection[] = [];
  readonly events: EventDraft[] = [];
  readonly charges: ChargeRequest[] = [];
  item: ItemDetails | null = null;
  readonly #cleared = new Set<string>();
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

  /** Customer credit that open invoices and this decision's invoices use. */
  get creditUses(): readonly CreditUse[] {
    const added = usesOf(this.lines);
    const kept =
      this.#cleared.size === 0
        ? this.aggregate.creditUses
        : this.aggregate.creditUses.filter(({ invoiceId }) => !this.#cleared.has(invoiceId));
    return added.length === 0 ? kept : [...kept, ...added];
  }

  /** Adds an event with the current time. */
  emit(event: Omit<EventDraft, 'customerId' | 'occurredAt'>): void {
    this.events.push({ ...event, customerId: this.aggregate.customer.id, occurredAt: this.now });
  }

  /** Records the buyer and seller details of an invoice. */
  freeze(invoiceId: string, parties: InvoiceParties): void {
    this.parties.set(invoiceId, laterParties(this.parties.get(invoiceId), parties));
  }

  /** Removes an invoice's lines, including lines that this decision wrote. */
  clearLines(invoiceId: string): void {
    this.#cleared.add(invoiceId);
    const kept = this.lines.filter((line) => line.invoiceId !== invoiceId);
    this.lines.splice(0, this.lines.length, ...kept);
  }

  /** Returns true if this decision wrote the invoice's lines. */
  isWritten(invoiceId: string): boolean {
    return this.#cleared.has(invoiceId) || this.invoices.changes.get(invoiceId)?.flag === 'new';
  }

  /** Schedules a deadline. Replaces a deadline with the same ID. */
  schedule(row: DeadlineRow): void {
    this.#removed.delete(row.id);
    this.#put.set(row.id, row);
  }

  /** Removes a deadline. Does nothing if the deadline doesn't exist. */
  unschedule(id: string): void {
    this.#put.delete(id);
    this.#ready.delete(id);
    if (this.aggregate.deadlines.some((row) => row.id === id)) this.#removed.add(id);
  }

  /** Removes the deadline that started a command. Does nothing if the deadline was rescheduled. */
  complete(command: { readonly deadlineId: string; readonly dueAt: Date }): void {
    if (this.aggregate.deadlines.some(({ id, dueAt }) => id === command.deadlineId && dueAt > command.dueAt))
      return;
    this.unschedule(command.deadlineId);
  }

  deadlinesOf(subscriptionId: string): DeadlineRow[] {
    return this.#deadlines().filter((row) => row.subscriptionId === subscriptionId);
  }

  /** Takes a subscription's deadlines off hold, so that they're ready to run. */
  release(subscriptionId: string): void {
    for (const row of this.deadlinesOf(subscriptionId)) if (row.state === 'parked') this.#ready.add(row.id);
  }

  /** Ends the decision successfully. */
  done(
    status: CommandResult['status'],
    subscriptionId: string | null,
    invoiceId: string | null = null,
  ): Decision {
    return this.finish({ kind: 'ok', status, subscriptionId, invoiceId });
  }

  /** Ends the decision with a rejection. The changes so far are kept. */
  reject(rejection: Rejection): Decision {
    return this.finish({ kind: 'rejection', ...rejection });
  }

  finish(outcome: Outcome): Decision {
    const changes: ChangeSet = {
      ...this.#written(),
      clearedInvoices: [...this.#cleared],
      parties: this.parties,
      carried: this.carried,
      pricedCorrections: this.pricedCorrections,
      events: this.events,
      deadlines: { put: [...this.#put.values()], remove: [...this.#removed], ready: [...this.#ready] },
      charges: this.charges,
      activated: activeOf(this.subscriptions.all()) - activeOf(this.subscriptions.provided),
      item: this.item,
    };
    const aggregate: Aggregate = {
      ...this.aggregate,
      ...this.#changedTables(),
      customer: this.customer,
      creditUses: this.creditUses,
      deadlines: this.#deadlines(),
    };
    return { aggregate, changes, outcome };
  }

  /** Returns the changes that this decision made to all tables. */
  #written(): Written {
    const written: { [table: string]: unknown } = {};
    for (const table of changingTables) written[table] = this[table].changes;
    for (const table of appendedTables) written[table] = this[table];
    // The compiler can't infer that each value has the type of its key.
    return written as Written;
  }

  /** Returns the rows of the tables that this decision added rows to or updated rows in. */
  #changedTables(): Partial<PerTable<LoadedTable, 'rows'>> {
    const changed: { [table: string]: unknown } = {};
    for (const table of loadedTables) if (this[table].changes.size > 0) changed[table] = this[table].all();
    // The compiler can't infer that each value has the type of its key.
    return changed;
  }

  #deadlines(): DeadlineRow[] {
    const kept = this.aggregate.deadlines
      .filter(({ id }) => !this.#put.has(id) && !this.#removed.has(id))
      .map((row): DeadlineRow => (this.#ready.has(row.id) ? { ...row, state: 'ready' } : row));
    return [...kept, ...this.#put.values()];
  }
}
