import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  CountEventRow,
  FeatureCountRow,
  UsageAdjustmentRow,
  UsageCounterRow,
} from '../consumption/rows.ts';
import type { Refusal } from '../errors.ts';
import type { EventKind } from '../events.ts';
import type { ChargeRequest } from '../gateway.ts';
import type { PaymentRow } from '../payment/rows.ts';
import type { PlanGrantRow } from './grant-rows.ts';
import type {
  AddonActivationRow,
  CustomerCreditRow,
  CustomerRow,
  DeadlineRow,
  InvoiceLineRow,
  InvoiceRow,
  LedgerTransferRow,
  OfferApplicationRow,
  PaymentMethodRow,
  PromoRedemptionRow,
  RefundRow,
  SubscriptionRow,
  TransactionRow,
} from './rows.ts';

/** A full row to write; `new` rows are inserted, `changed` ones updated. */
export type RowChange<T> = { readonly flag: 'new' | 'changed'; readonly row: T };

/** Rows to write by id. */
export type RowChanges<T> = ReadonlyMap<string, RowChange<T>>;

/**
 * An event to store. Values only the writer knows are null in `data` and filled in while storing:
 * `invoiceNumber`, by `invoiceId`, when the invoice is new; and the field a `link` names.
 */
export type EventDraft = {
  readonly kind: EventKind;
  readonly data: { readonly [field: string]: unknown };
  /** The platform id of the customer; the id shown to receivers is in `data` (GLO-3). */
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly occurredAt: Date;
  /** An event with a cause is stored at most once for it (BIL-4). */
  readonly cause?: string;
  readonly link?: EventLink;
};

/** A signed page address to put into `data[field]`: page `checkout` about a subscription, page `recover` about an invoice. */
export type EventLink = {
  readonly field: 'checkoutUrl' | 'recoveryUrl';
  readonly page: 'checkout' | 'recover';
  readonly subjectId: string;
};

/** Deadlines to write, each key in one list only. `ready` are parked ones that may run again. */
export type DeadlineChanges = {
  readonly put: readonly DeadlineRow[];
  readonly remove: readonly string[];
  readonly ready: readonly string[];
};

/** Outcome words of run items (BIL-55). */
export type ItemOutcome =
  | 'renewed'
  | 'trial_converted'
  | 'trial_past_due'
  | 'trial_pending_payment'
  | 'canceled'
  | 'plan_changed'
  | 'overage_invoiced'
  | 'reset'
  | 'started'
  | 'grant_expired'
  | 'quote_expired'
  | 'recovered'
  | 'declined'
  | 'exhausted';

/** What the run item of an executed deadline shows. */
export type ItemFacts = { readonly outcome: ItemOutcome; readonly invoiceId: string | null; readonly detail: string | null };

/** Everything a decision wants written, in one transaction, and the charges to ask for once it is. */
export type ChangeSet = {
  readonly customers: RowChanges<CustomerRow>;
  readonly subscriptions: RowChanges<SubscriptionRow>;
  readonly invoices: RowChanges<InvoiceRow>;
  /** Lines of new invoices, in order. */
  readonly lines: readonly InvoiceLineRow[];
  readonly payments: RowChanges<PaymentRow>;
  readonly transactions: RowChanges<TransactionRow>;
  readonly refunds: RowChanges<RefundRow>;
  readonly paymentMethods: RowChanges<PaymentMethodRow>;
  readonly offerApplications: RowChanges<OfferApplicationRow>;
  readonly addons: RowChanges<AddonActivationRow>;
  readonly grants: RowChanges<PlanGrantRow>;
  readonly credits: RowChanges<CustomerCreditRow>;
  /** New ones; each counts on its promo code. */
  readonly redemptions: RowChanges<PromoRedemptionRow>;
  readonly ledger: readonly LedgerTransferRow[];
  readonly accounts: RowChanges<ConsumptionAccountRow>;
  readonly counters: RowChanges<UsageCounterRow>;
  readonly counts: RowChanges<FeatureCountRow>;
  /** Movements of the pools, in order. */
  readonly entries: readonly ConsumptionEntryRow[];
  /** Changes of the counts of seats and quota, in order. */
  readonly countEvents: readonly CountEventRow[];
  /** Totals a window begins with. */
  readonly usageAdjustments: readonly UsageAdjustmentRow[];
  /** In the order they are numbered. */
  readonly events: readonly EventDraft[];
  readonly deadlines: DeadlineChanges;
  readonly charges: readonly ChargeRequest[];
  /** Null for commands that are not deadlines, unless their answer changes the item of one. */
  readonly item: ItemFacts | null;
};

/** What an accepted command achieved. */
export type CommandResult = {
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  /**
   * `done`: nothing is awaited. `charging`: the charges of the change set decide. `requires_action`: the payer must authenticate.
   * `unchanged`: what was asked for is so already, or there was nothing to do. `unanswered`: the gateway has not said.
   */
  readonly status: 'done' | 'charging' | 'requires_action' | 'unchanged' | 'unanswered';
};

/**
 * How a command ended. A refusal may come with changes, which are committed before it is thrown (protocols A3). A deadline whose own
 * command is refused is a failed item; how the answer to its charge ended never fails it, since a decline is a completed item (BIL-56).
 * `park`: the deadline must wait; the engine parks it, and the decision that ends the wait makes it ready (BIL-8).
 */
export type Outcome = ({ readonly kind: 'ok' } & CommandResult) | ({ readonly kind: 'refusal' } & Refusal) | { readonly kind: 'park' };

const mergeRows = <T>(a: RowChanges<T>, b: RowChanges<T>): RowChanges<T> => {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  const merged = new Map(a);
  for (const [id, change] of b) merged.set(id, merged.get(id)?.flag === 'new' ? { flag: 'new', row: change.row } : change);
  return merged;
};

const mergeDeadlines = (a: DeadlineChanges, b: DeadlineChanges): DeadlineChanges => {
  const later = new Set([...b.put.map(({ id }) => id), ...b.remove]);
  const put = a.put.filter(({ id }) => !later.has(id));
  const readied = new Set(b.ready);
  return {
    put: [...put.map((row): DeadlineRow => (readied.has(row.id) ? { ...row, state: 'ready' } : row)), ...b.put],
    remove: [...a.remove.filter((id) => !later.has(id)), ...b.remove],
    ready: [...new Set([...a.ready.filter((id) => !later.has(id)), ...b.ready.filter((id) => !put.some((row) => row.id === id))])],
  };
};

/**
 * The changes of two decisions on the same aggregate, the second made after the first, as one: later rows win, what is new stays new,
 * lists are appended. Charges of the first are taken as made, so only those of the second remain.
 */
export const mergeChanges = (a: ChangeSet, b: ChangeSet): ChangeSet => ({
  customers: mergeRows(a.customers, b.customers),
  subscriptions: mergeRows(a.subscriptions, b.subscriptions),
  invoices: mergeRows(a.invoices, b.invoices),
  lines: [...a.lines, ...b.lines],
  payments: mergeRows(a.payments, b.payments),
  transactions: mergeRows(a.transactions, b.transactions),
  refunds: mergeRows(a.refunds, b.refunds),
  paymentMethods: mergeRows(a.paymentMethods, b.paymentMethods),
  offerApplications: mergeRows(a.offerApplications, b.offerApplications),
  addons: mergeRows(a.addons, b.addons),
  grants: mergeRows(a.grants, b.grants),
  credits: mergeRows(a.credits, b.credits),
  redemptions: mergeRows(a.redemptions, b.redemptions),
  ledger: [...a.ledger, ...b.ledger],
  accounts: mergeRows(a.accounts, b.accounts),
  counters: mergeRows(a.counters, b.counters),
  counts: mergeRows(a.counts, b.counts),
  entries: [...a.entries, ...b.entries],
  countEvents: [...a.countEvents, ...b.countEvents],
  usageAdjustments: [...a.usageAdjustments, ...b.usageAdjustments],
  events: [...a.events, ...b.events],
  deadlines: mergeDeadlines(a.deadlines, b.deadlines),
  charges: b.charges,
  item: b.item ?? a.item,
});
