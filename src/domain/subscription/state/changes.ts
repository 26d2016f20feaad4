import type { Rejection } from '../../errors.ts';
import type { EventKind } from '../../events.ts';
import { type InvoiceParties, laterParties } from '../../invoicing/parties.ts';
import { mergeEntries } from '../../metrics/recurring.ts';
import type { ChargeRequest } from '../../provider.ts';
import type { DeadlineRow } from './rows.ts';
import {
  type AppendedTable,
  appendedTables,
  type ChangingTable,
  changingTables,
  type PerTable,
  perTable,
  type RowChanges,
} from './tables.ts';

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

/**
 * A signed page address to put into `data[field]`: page `checkout` about a subscription, page `recover` about
 * an invoice.
 */
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
export type ItemDetails = {
  readonly outcome: ItemOutcome;
  readonly invoiceId: string | null;
  readonly detail: string | null;
};

/** Everything a decision writes in one transaction, and the charges to request after it. */
export type ChangeSet = PerTable<ChangingTable, 'changes'> &
  PerTable<AppendedTable, 'rows'> & {
    /** The parties to freeze with invoices among the changed ones, by invoice id; each new one is here. */
    readonly parties: ReadonlyMap<string, InvoiceParties>;
    /** In the order they are numbered. */
    readonly events: readonly EventDraft[];
    readonly deadlines: DeadlineChanges;
    readonly charges: readonly ChargeRequest[];
    /** How many more subscriptions are active than before; below 0 for fewer. */
    readonly activated: number;
    /** Null for commands that are not made of deadlines and change no item. */
    readonly item: ItemDetails | null;
  };

/** What an accepted command achieved. */
export type CommandResult = {
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  /**
   * `done`: nothing is awaited. `charging`: the charges of the change set decide. `requires_action`: the
   * payer must authenticate. `unchanged`: there was nothing to do. `unanswered`: the gateway has not
   * answered.
   */
  readonly status: 'done' | 'charging' | 'requires_action' | 'unchanged' | 'unanswered';
};

/**
 * How a command ended. A rejection may come with changes, which are committed before it is thrown. A deadline
 * whose own command is rejected is a failed item; how the answer to its charge ended never fails it, since a decline is a completed item (BIL-56). `park`: the deadline must wait; the engine parks
 * it, and the decision that ends the wait makes it ready (BIL-8).
 */
export type Outcome =
  | ({ readonly kind: 'ok' } & CommandResult)
  | ({ readonly kind: 'rejection' } & Rejection)
  | { readonly kind: 'park' };

const mergeRows = <T>(a: RowChanges<T>, b: RowChanges<T>): RowChanges<T> => {
  if (b.size === 0) return a;
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
  perTable<ChangingTable, 'changes'>(changingTables, (table) => mergeRows(a[table], b[table]));

const mergeAppended = (
  a: PerTable<AppendedTable, 'rows'>,
  b: PerTable<AppendedTable, 'rows'>,
): PerTable<AppendedTable, 'rows'> =>
  perTable<AppendedTable, 'rows'>(appendedTables, (table) => a[table].concat(b[table]));

/**
 * The changes of two decisions on the same aggregate, the second made after the first, as one: later rows
 * win, what is new stays new, lists are appended. The charges of the first were made, so only those of the
 * second remain.
 */
export const mergeChanges = (a: ChangeSet, b: ChangeSet): ChangeSet => ({
  ...mergeChanged(a, b),
  ...mergeAppended(a, b),
  mrrEntries: mergeEntries(a.mrrEntries, b.mrrEntries),
  parties: mergeParties(a.parties, b.parties),
  events: [...a.events, ...b.events],
  deadlines: mergeDeadlines(a.deadlines, b.deadlines),
  charges: b.charges,
  activated: a.activated + b.activated,
  item: b.item ?? a.item,
});

/** Whether anything is to be written for a decision. */
export const hasChanges = (set: ChangeSet): boolean =>
  changingTables.some((table) => set[table].size > 0) ||
  appendedTables.some((table) => set[table].length > 0) ||
  set.events.length > 0 ||
  set.deadlines.put.length + set.deadlines.remove.length + set.deadlines.ready.length > 0;
