import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  CountEventRow,
  FeatureCountRow,
  UsageAdjustmentRow,
  UsageCounterRow,
} from '../consumption/rows.ts';
import { usesOf } from '../customer-credits.ts';
import type { Refusal } from '../errors.ts';
import type { ChargeRequest } from '../gateway.ts';
import type { PaymentRow } from '../payment/rows.ts';
import type { ComputeTax, TaxPayer } from '../tax.ts';
import type {
  AddonActivationRow,
  Aggregate,
  ChangeSet,
  CommandResult,
  CreditUse,
  CustomerCreditRow,
  CustomerRow,
  DeadlineRow,
  Decision,
  EventDraft,
  InvoiceLineRow,
  InvoiceRow,
  ItemFacts,
  LedgerTransferRow,
  OfferApplicationRow,
  Outcome,
  PaymentMethodRow,
  PlanGrantRow,
  PromoRedemptionRow,
  RefundRow,
  RowChange,
  SubscriptionRow,
  Tools,
  TransactionRow,
} from './aggregate.ts';

type Row = { readonly id: string };

/** Rows of one kind as they stand in a decision: those given, under those written so far. */
class Rows<T extends Row> {
  readonly given: readonly T[];
  readonly changes = new Map<string, RowChange<T>>();

  constructor(given: readonly T[]) {
    this.given = given;
  }

  find(id: string): T | null {
    return this.changes.get(id)?.row ?? this.given.find((row) => row.id === id) ?? null;
  }

  all(): readonly T[] {
    if (this.changes.size === 0) return this.given;
    const rows = this.given.map((row) => this.changes.get(row.id)?.row ?? row);
    for (const { flag, row } of this.changes.values()) if (flag === 'new') rows.push(row);
    return rows;
  }

  add(row: T): T {
    this.changes.set(row.id, { flag: 'new', row });
    return row;
  }

  put(row: T): T {
    this.changes.set(row.id, { flag: this.changes.get(row.id)?.flag ?? 'changed', row });
    return row;
  }
}

/**
 * One decision in the making: the aggregate as changed so far, and the changes. It is written to by the files of this folder and lives
 * only inside `decide`; nothing of the given aggregate is ever changed.
 */
export class Work {
  readonly aggregate: Aggregate;
  /** Which versions and boundaries hold (protocols B2). */
  readonly dueAt: Date;
  /** When it happens. */
  readonly now: Date;
  readonly newId: (prefix: string) => string;
  readonly computeTax: ComputeTax;
  /** Who is billed where it is not the customer as stored: what a payer has typed in at a checkout. */
  payer: TaxPayer | null = null;
  readonly customers: Rows<CustomerRow>;
  readonly subscriptions: Rows<SubscriptionRow>;
  readonly invoices: Rows<InvoiceRow>;
  readonly payments: Rows<PaymentRow>;
  readonly transactions: Rows<TransactionRow>;
  readonly refunds: Rows<RefundRow>;
  readonly paymentMethods: Rows<PaymentMethodRow>;
  readonly offerApplications: Rows<OfferApplicationRow>;
  readonly addons: Rows<AddonActivationRow>;
  readonly grants: Rows<PlanGrantRow>;
  readonly credits: Rows<CustomerCreditRow>;
  readonly redemptions: Rows<PromoRedemptionRow>;
  readonly lines: InvoiceLineRow[] = [];
  readonly ledger: LedgerTransferRow[] = [];
  readonly accounts: Rows<ConsumptionAccountRow>;
  readonly counters: Rows<UsageCounterRow>;
  readonly counts: Rows<FeatureCountRow>;
  readonly entries: ConsumptionEntryRow[] = [];
  readonly countEvents: CountEventRow[] = [];
  readonly usageAdjustments: UsageAdjustmentRow[] = [];
  readonly events: EventDraft[] = [];
  readonly charges: ChargeRequest[] = [];
  item: ItemFacts | null = null;
  readonly #put = new Map<string, DeadlineRow>();
  readonly #removed = new Set<string>();
  readonly #ready = new Set<string>();

  constructor(aggregate: Aggregate, time: { readonly dueAt: Date; readonly now: Date }, tools: Tools) {
    this.aggregate = aggregate;
    this.dueAt = time.dueAt;
    this.now = time.now;
    this.newId = tools.newId;
    this.computeTax = tools.tax;
    this.customers = new Rows([aggregate.customer]);
    this.subscriptions = new Rows(aggregate.subscriptions);
    this.invoices = new Rows(aggregate.invoices);
    this.payments = new Rows(aggregate.payments);
    this.transactions = new Rows(aggregate.transactions);
    this.refunds = new Rows(aggregate.refunds);
    this.paymentMethods = new Rows(aggregate.paymentMethods);
    this.offerApplications = new Rows(aggregate.offerApplications);
    this.addons = new Rows(aggregate.addons);
    this.grants = new Rows(aggregate.grants);
    this.credits = new Rows(aggregate.credits);
    this.redemptions = new Rows(aggregate.redemptions);
    this.accounts = new Rows(aggregate.accounts);
    this.counters = new Rows(aggregate.counters);
    this.counts = new Rows(aggregate.counts);
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

  /** Writes a deadline, replacing the one of the same key. */
  schedule(row: DeadlineRow): void {
    this.#removed.delete(row.id);
    this.#put.set(row.id, row);
  }

  /** Drops a deadline; one that does not exist is no matter. */
  unschedule(id: string): void {
    this.#put.delete(id);
    if (this.aggregate.deadlines.some((row) => row.id === id)) this.#removed.add(id);
  }

  /** Drops the deadline a command was made of, unless it has been put off since. */
  complete(command: { readonly deadlineId: string; readonly dueAt: Date }): void {
    if (this.aggregate.deadlines.some(({ id, dueAt }) => id === command.deadlineId && dueAt > command.dueAt)) return;
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
  done(status: CommandResult['status'], subscriptionId: string | null, invoiceId: string | null = null): Decision {
    return this.finish({ kind: 'ok', status, subscriptionId, invoiceId });
  }

  /** Ends the decision with a refusal; the changes made so far go with it. */
  refuse(refusal: Refusal): Decision {
    return this.finish({ kind: 'refusal', ...refusal });
  }

  /** Ends the decision. */
  finish(outcome: Outcome): Decision {
    const changes: ChangeSet = {
      customers: this.customers.changes,
      subscriptions: this.subscriptions.changes,
      invoices: this.invoices.changes,
      lines: this.lines,
      payments: this.payments.changes,
      transactions: this.transactions.changes,
      refunds: this.refunds.changes,
      paymentMethods: this.paymentMethods.changes,
      offerApplications: this.offerApplications.changes,
      addons: this.addons.changes,
      grants: this.grants.changes,
      credits: this.credits.changes,
      redemptions: this.redemptions.changes,
      ledger: this.ledger,
      accounts: this.accounts.changes,
      counters: this.counters.changes,
      counts: this.counts.changes,
      entries: this.entries,
      countEvents: this.countEvents,
      usageAdjustments: this.usageAdjustments,
      events: this.events,
      deadlines: { put: [...this.#put.values()], remove: [...this.#removed], ready: [...this.#ready] },
      charges: this.charges,
      item: this.item,
    };
    const aggregate: Aggregate = {
      ...this.aggregate,
      customer: this.customer,
      subscriptions: this.subscriptions.all(),
      invoices: this.invoices.all(),
      paymentMethods: this.paymentMethods.all(),
      payments: this.payments.all(),
      transactions: this.transactions.all(),
      refunds: this.refunds.all(),
      offerApplications: this.offerApplications.all(),
      addons: this.addons.all(),
      grants: this.grants.all(),
      credits: this.credits.all(),
      creditUses: this.creditUses,
      redemptions: this.redemptions.all(),
      accounts: this.accounts.all(),
      counters: this.counters.all(),
      counts: this.counts.all(),
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
