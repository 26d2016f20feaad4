import type { Rejection } from '../../errors/errors.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import { type InvoiceParties, laterParties } from '../../invoicing/parties.ts';
import { mergeEntries } from '../../metrics/recurring.ts';
import type { ChargeRequest } from '../../payments/provider.ts';
import type { DeadlineRow } from '../../rows/rows.ts';
import {
  type AppendedTable,
  appendedTables,
  type ChangingTable,
  changingTables,
  type PerTable,
  perTable,
  type RowChanges,
} from './tables.ts';

/** Deadlines to write. Each ID appears in only one list. `ready` contains deadlines that were on hold and become ready. */
export type DeadlineChanges = {
  readonly put: readonly DeadlineRow[];
  readonly remove: readonly string[];
  readonly ready: readonly string[];
};

/** Results of deadlines, as shown in a clock run (BIL-55). */
type ItemOutcome =
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
  | 'checkout_expired'
  | 'recovered'
  | 'declined'
  | 'exhausted'
  | 'collected'
  | 'expired'
  | 'returned';

/** Result of a processed deadline. */
export type ItemDetails = {
  readonly outcome: ItemOutcome;
  readonly invoiceId: string | null;
  readonly detail: string | null;
};

/**
 * Usage events that belong to the window of a new plan, because they were recorded after the old window was billed. Numbers of the events are
 * greater than `afterSeq`. `values` contains the number of events by counted value if the meter stores values.
 */
export type CarriedUsage = {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly from: Date;
  readonly to: Date;
  readonly afterSeq: bigint;
  /** Numbers of later events that stay in the old window, because they replace events in it. */
  readonly except: readonly bigint[];
  readonly values: ReadonlyMap<string, bigint>;
};

/** Correction of usage that an unpaid plan change billed, whose amount is known since the plan changed (PRM-128). */
export type PricedCorrection = { readonly id: string; readonly amountMinor: bigint };

/**
 * Changes that a decision writes in one database transaction, and the charges to request after the commit.
 */
export type ChangeSet = PerTable<ChangingTable, 'changes'> &
  PerTable<AppendedTable, 'rows'> & {
    /** Buyer and seller details to record, by invoice ID. The map has an entry for every new invoice. */
    readonly parties: ReadonlyMap<string, InvoiceParties>;
    /** Invoices whose stored lines are replaced by the lines of this change set. */
    readonly clearedInvoices: readonly string[];
    /** Usage events to move to another usage window. */
    readonly carried: readonly CarriedUsage[];
    /** Amounts of corrections that became known. */
    readonly pricedCorrections: readonly PricedCorrection[];
    /** Events in the order in which they're numbered. */
    readonly events: readonly EventDraft[];
    readonly deadlines: DeadlineChanges;
    readonly charges: readonly ChargeRequest[];
    /** Change in the number of active subscriptions. Negative if the number decreases. */
    readonly activated: number;
    /** Result to show in the clock run. `null` if no deadline started the command and no deadline result changes. */
    readonly item: ItemDetails | null;
  };

export type CommandResult = {
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  /**
   * `done`: completed. `charging`: the result depends on the charges in the change set. `requires_action`:
   * the payer must authenticate. `collecting`: a bank debit was accepted and has no final result. `unchanged`: nothing to do. `unanswered`: the provider hasn't responded yet.
   */
  readonly status: 'done' | 'charging' | 'collecting' | 'requires_action' | 'unchanged' | 'unanswered';
};

/**
 * Outcome of a command. A rejection can include changes, which are committed before the error is thrown. A
 * deadline fails if its command is rejected, but not if its charge is declined (BIL-56). `park`: the deadline
 * must wait until a later decision makes it ready again (BIL-8).
 */
export type Outcome =
  | ({ readonly kind: 'ok' } & CommandResult)
  | ({ readonly kind: 'rejection' } & Rejection)
  | { readonly kind: 'park' };

const mergeRows = <T>(a: RowChanges<T>, b: RowChanges<T>): RowChanges<T> => {
  if (a.size === 0) return b;
  const merged = new Map(a);
  for (const [id, change] of b)
    merged.set(id, merged.get(id)?.flag === 'new' ? { flag: 'new', row: change.row } : change);
  return merged;
};

const mergeParties = (a: ChangeSet['parties'], b: ChangeSet['parties']): ChangeSet['parties'] => {
  if (b.size === 0) return a;
  const merged = new Map(a);
  for (const [id, parties] of b) merged.set(id, laterParties(merged.get(id), parties));
  return merged;
};

const mergeDeadlines = (a: DeadlineChanges, b: DeadlineChanges): DeadlineChanges => {
  const later = new Set([...b.put.map(({ id }) => id), ...b.remove]);
  const put = a.put.filter(({ id }) => !later.has(id));
  const readied = new Set(b.ready);
  return {
    put: [
      ...put.map((row): DeadlineRow => (readied.has(row.id) ? { ...row, state: 'ready' } : row)),
      ...b.put,
    ],
    remove: [...a.remove.filter((id) => !later.has(id)), ...b.remove],
    ready: [
      ...new Set([
        ...a.ready.filter((id) => !later.has(id)),
        ...b.ready.filter((id) => !put.some((row) => row.id === id)),
      ]),
    ],
  };
};

const mergeChanged = (
  a: PerTable<ChangingTable, 'changes'>,
  b: PerTable<ChangingTable, 'changes'>,
): PerTable<ChangingTable, 'changes'> =>
  perTable<ChangingTable, 'changes'>(changingTables, (table) =>
    b[table].size === 0 ? a[table] : mergeRows(a[table], b[table]),
  );

const mergeAppended = (
  a: PerTable<AppendedTable, 'rows'>,
  b: PerTable<AppendedTable, 'rows'>,
): PerTable<AppendedTable, 'rows'> =>
  perTable<AppendedTable, 'rows'>(appendedTables, (table) => a[table].concat(b[table]));

/**
 * Merges the changes from two consecutive decisions on the same aggregate. Later rows replace earlier rows,
 * new rows stay new, and lists are concatenated. Keeps only the second decision's charges, because the first
 * decision's charges were already made.
 */
export const mergeChanges = (a: ChangeSet, b: ChangeSet): ChangeSet => ({
  ...mergeChanged(a, b),
  ...mergeAppended(a, b),
  mrrEntries: mergeEntries(a.mrrEntries, b.mrrEntries),
  lines: [...a.lines.filter(({ invoiceId }) => !b.clearedInvoices.includes(invoiceId)), ...b.lines],
  clearedInvoices: [...new Set([...a.clearedInvoices, ...b.clearedInvoices])],
  parties: mergeParties(a.parties, b.parties),
  carried: [...a.carried, ...b.carried],
  pricedCorrections: [...a.pricedCorrections, ...b.pricedCorrections],
  events: [...a.events, ...b.events],
  deadlines: mergeDeadlines(a.deadlines, b.deadlines),
  charges: b.charges,
  activated: a.activated + b.activated,
  item: b.item ?? a.item,
});

export const hasChanges = (set: ChangeSet): boolean =>
  changingTables.some((table) => set[table].size > 0) ||
  appendedTables.some((table) => set[table].length > 0) ||
  set.events.length > 0 ||
  set.deadlines.put.length + set.deadlines.remove.length + set.deadlines.ready.length > 0;
