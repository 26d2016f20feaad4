import type { ChangeSet, EventDraft, RowChanges } from '../domain/subscription/state/aggregate.ts';
import { type RowOf, type TableName, tableNames, tables } from '../domain/subscription/state/tables.ts';
import type { Numbers } from '../outbox/write.ts';
import type { FrozenParties } from './parties.ts';

type Stored = { readonly id: string; readonly seq: bigint | null };
type Numbered<T> = T extends Stored ? Omit<T, 'seq'> & { readonly seq: bigint } : T;

/** What invoices have when they are stored. */
type InvoiceColumns = { readonly number: bigint; readonly buyerId: string; readonly sellerId: string };

/** The row of a table, ready to be written. */
export type WrittenRow<T extends TableName> = Numbered<RowOf<T>> &
  (T extends 'invoices' ? InvoiceColumns : unknown);

/** Rows of one table, ready to be written. */
type Written<R> = { readonly added: R[]; readonly changed: R[] };

/** The numbered rows of many change sets, table by table, in the order of the change sets. */
export type NumberedRows = { readonly [T in TableName]: Written<WrittenRow<T>> };

const countNew = <T>(changes: RowChanges<T>): number => {
  let count = 0;
  for (const { flag } of changes.values()) if (flag === 'new') count++;
  return count;
};

/** How many numbers of each sort the change sets need, and what they do to the count of active subscriptions; `events` are those that will be stored. */
export function countNumbers(sets: readonly ChangeSet[], events: readonly EventDraft[]) {
  let seq = 0;
  let invoiceNumbers = 0;
  let activeSubscriptions = 0;
  for (const set of sets) {
    invoiceNumbers += countNew(set.invoices);
    activeSubscriptions += set.activated;
    for (const table of tableNames) {
      const rows = set[table];
      if ('size' in rows) seq += countNew<unknown>(rows);
      else if (tables[table].kind === 'appended') seq += rows.length;
    }
  }
  return { seq, invoiceNumbers, positions: events.length, activeSubscriptions };
}

/** Hands out the numbers taken for change sets, one after another. */
class Numbering {
  #seq: bigint;
  #invoiceNumber: bigint;
  readonly #parties: FrozenParties['byInvoice'];

  constructor(numbers: Numbers, parties: FrozenParties['byInvoice']) {
    this.#seq = numbers.seq;
    this.#invoiceNumber = numbers.invoiceNumber;
    this.#parties = parties;
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
      const frozen = this.#parties.get(row.id);
      const buyerId = frozen?.buyerId ?? row.buyerId;
      const sellerId = frozen?.sellerId ?? row.sellerId;
      if (buyerId === null || sellerId === null) throw new Error(`The invoice ${row.id} has no parties.`);
      if (flag === 'new')
        into.added.push({ ...row, buyerId, sellerId, seq: this.#seq++, number: this.#invoiceNumber++ });
      else if (row.seq === null || row.number === null)
        throw new Error(`The changed invoice ${row.id} was never stored.`);
      else into.changed.push({ ...row, buyerId, sellerId });
    }
  }

  append(rows: readonly object[], into: Written<object>): void {
    for (const row of rows) into.added.push({ ...row, seq: this.#seq++ });
  }
}

/** The entries of a change set with the positions of the events of their subscriptions. */
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

/** Gives new rows their seq, new invoices their number, and invoices the parties frozen with them, subject by subject (BIL-27). `events` are
 * those that will be stored. Throws when a changed row has none. */
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
  const written = tableNames.map((table) => ({ table, into: { added: [], changed: [] } as Written<object> }));
  for (const set of sets) {
    for (const { table, into } of written) {
      const rows = set[table];
      if (table === 'invoices') numbering.takeInvoices(set.invoices, into);
      else if (table === 'mrrEntries') numbering.append(withEvents(set, positions), into);
      else if ('size' in rows) numbering.take(rows, into);
      else if (tables[table].kind === 'part') into.added.push(...rows);
      else numbering.append(rows, into);
    }
  }
  // Each table has its own rows, completed above; the compiler does not follow a loop that far.
  return Object.fromEntries(written.map(({ table, into }) => [table, into])) as NumberedRows;
}
