import type { EventDraft } from '../../domain/events/event-draft.ts';
import type { ChangeSet, RowChanges } from '../../domain/subscription/state/aggregate.ts';
import { type RowOf, type TableName, tableNames, tables } from '../../domain/subscription/state/tables.ts';
import type { Numbers } from '../../outbox/write.ts';
import type { FrozenParties } from './parties.ts';

type Stored = { readonly id: string; readonly seq: bigint | null };
type Numbered<T> = T extends Stored ? Omit<T, 'seq'> & { readonly seq: bigint } : T;

/** Invoice columns that are set when the invoice is stored. */
type InvoiceColumns = { readonly number: bigint; readonly buyerId: string; readonly sellerId: string };

/** Credit note columns that are set when the credit note is stored. */
type CreditNoteColumns = { readonly number: bigint; readonly buyerId: string; readonly sellerId: string };

/** Row including the columns that are set when the row is stored. */
export type WrittenRow<T extends TableName> = Numbered<RowOf<T>> &
  (T extends 'invoices' ? InvoiceColumns : T extends 'creditNotes' ? CreditNoteColumns : unknown);

/** Rows to insert into a table, and rows to update in it. */
type Written<R> = { readonly added: R[]; readonly changed: R[] };

/** Numbered rows by table, in the order of the change sets. */
export type NumberedRows = { readonly [T in TableName]: Written<WrittenRow<T>> };

const countNew = <T>(changes: RowChanges<T>): number => {
  let count = 0;
  for (const { flag } of changes.values()) if (flag === 'new') count++;
  return count;
};

/**
 * Counts the sequence numbers, document numbers, and event positions that change sets need, and adds up the change in
 * the number of active subscriptions. `events` are the events to store.
 */
export function countNumbers(sets: readonly ChangeSet[], events: readonly EventDraft[]) {
  let seq = 0;
  let invoiceNumbers = 0;
  let creditNoteNumbers = 0;
  let activeSubscriptions = 0;
  for (const set of sets) {
    invoiceNumbers += countNew(set.invoices);
    creditNoteNumbers += set.creditNotes.length;
    activeSubscriptions += set.activated;
    for (const table of tableNames) {
      const rows = set[table];
      if ('size' in rows) {
        if (rows.size > 0) seq += countNew<unknown>(rows);
      } else if (tables[table].kind === 'appended') seq += rows.length;
    }
  }
  return { seq, invoiceNumbers, creditNoteNumbers, positions: events.length, activeSubscriptions };
}

/** Assigns reserved sequence, invoice, and credit note numbers in order. */
class Numbering {
  #seq: bigint;
  #invoiceNumber: bigint;
  #creditNoteNumber: bigint;
  readonly #parties: FrozenParties['byInvoice'];

  constructor(numbers: Numbers, parties: FrozenParties['byInvoice']) {
    this.#seq = numbers.seq;
    this.#invoiceNumber = numbers.invoiceNumber;
    this.#creditNoteNumber = numbers.creditNoteNumber;
    this.#parties = parties;
  }

  /**
   * Returns the parties that a change set records for an invoice. If the change set records none, returns the
   * parties stored with the invoice.
   */
  #partiesOf(
    invoiceId: string,
    stored: { readonly buyerId: string | null; readonly sellerId: string | null },
  ) {
    const frozen = this.#parties.get(invoiceId);
    const buyerId = frozen?.buyerId ?? stored.buyerId;
    const sellerId = frozen?.sellerId ?? stored.sellerId;
    if (buyerId === null || sellerId === null) throw new Error(`The invoice ${invoiceId} has no parties.`);
    return { buyerId, sellerId };
  }

  take(changes: RowChanges<Stored>, into: Written<object>): void {
    for (const { flag, row } of changes.values()) {
      if (flag === 'new') into.added.push({ ...row, seq: this.#seq++ });
      else if (row.seq === null) throw new Error(`The changed row ${row.id} was never stored.`);
      else into.changed.push(row);
    }
  }

  takeInvoices(changes: ChangeSet['invoices'], into: Written<object>): void {
    for (const { flag, row } of changes.values()) {
      const { buyerId, sellerId } = this.#partiesOf(row.id, row);
      if (flag === 'new')
        into.added.push({ ...row, buyerId, sellerId, seq: this.#seq++, number: this.#invoiceNumber++ });
      else if (row.seq === null || row.number === null)
        throw new Error(`The changed invoice ${row.id} was never stored.`);
      else into.changed.push({ ...row, buyerId, sellerId });
    }
  }

  takeCreditNotes(rows: ChangeSet['creditNotes'], into: Written<object>): void {
    for (const row of rows) {
      const parties = this.#partiesOf(row.invoiceId, row);
      into.added.push({ ...row, ...parties, seq: this.#seq++, number: this.#creditNoteNumber++ });
    }
  }

  append(rows: readonly object[], into: Written<object>): void {
    for (const row of rows) into.added.push({ ...row, seq: this.#seq++ });
  }
}

/** Returns the revenue entries in a change set, each with the position of the event for its subscription. */
const withEvents = (
  { mrrEntries, events }: ChangeSet,
  positions: ReadonlyMap<EventDraft, bigint>,
): ChangeSet['mrrEntries'] =>
  mrrEntries.map((entry) => {
    const own = events.flatMap((event) =>
      event.subscriptionId === entry.subscriptionId ? (positions.get(event) ?? []) : [],
    );
    return { ...entry, firstEvent: own.at(0) ?? null, lastEvent: own.at(-1) ?? null };
  });

/**
 * Assigns `seq` to new rows, numbers to new invoices and credit notes, and parties to invoices (BIL-27).
 * Numbers follow the order of the change sets. `events` are the events to store. Throws if a changed row
 * has no `seq`.
 */
export function numberRows(
  sets: readonly ChangeSet[],
  numbers: Numbers,
  parties: FrozenParties['byInvoice'],
  events: readonly EventDraft[],
): NumberedRows {
  const numbering = new Numbering(numbers, parties);
  const isNeeded = sets.some(({ mrrEntries }) => mrrEntries.length > 0);
  const positions = new Map(
    isNeeded ? events.map((event, index) => [event, numbers.position + BigInt(index)] as const) : [],
  );
  const written: { [table: string]: Written<object> } = {};
  for (const table of tableNames) written[table] = { added: [], changed: [] };
  for (const set of sets) {
    for (const table of tableNames) {
      const rows = set[table];
      const into = written[table];
      if (into === undefined || ('size' in rows ? rows.size : rows.length) === 0) continue;
      if (table === 'invoices') numbering.takeInvoices(set.invoices, into);
      else if (table === 'creditNotes') numbering.takeCreditNotes(set.creditNotes, into);
      else if (table === 'mrrEntries') numbering.append(withEvents(set, positions), into);
      else if ('size' in rows) numbering.take(rows, into);
      else if (tables[table].kind === 'part') into.added.push(...rows);
      else numbering.append(rows, into);
    }
  }
  // Each list contains only the rows of its own table, but the compiler can't infer this from the loop.
  return written as NumberedRows;
}
