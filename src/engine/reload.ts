import type { Aggregate, DeadlineRow } from '../domain/subscription/state/aggregate.ts';
import {
  type LoadedTable,
  loadedTables,
  type PerTable,
  perTable,
} from '../domain/subscription/state/tables.ts';
import type { FieldName } from './load-batch.ts';
import { type Field, fieldNames, storedTables } from './tables.ts';

/** Hands out sequence numbers behind all that a database has, so that rows made in memory come last, in the order they were made. */
export type SeqSource = { next: bigint };

/** Numbers for one stretch of time in memory. */
export const memorySeqs = (): SeqSource => ({ next: 1n << 62n });

type Row = { readonly seq: bigint | null };

/** New rows with a seq of their own; the array itself where there are none. */
function numbered<T extends Row>(rows: readonly T[], seqs: SeqSource): readonly T[] {
  return rows.some(({ seq }) => seq === null)
    ? rows.map((row) => (row.seq === null ? { ...row, seq: seqs.next++ } : row))
    : rows;
}

function placed(
  deadlines: readonly DeadlineRow[],
  { customer, subscriptions }: Aggregate,
): readonly DeadlineRow[] {
  if (deadlines.every(({ subjectSeq }) => subjectSeq !== null)) return deadlines;
  const seqs = new Map(subscriptions.map(({ id, seq }) => [id, seq]));
  return deadlines.map((row) =>
    row.subjectSeq === null
      ? {
          ...row,
          subjectSeq: row.subscriptionId === null ? customer.seq : (seqs.get(row.subscriptionId) ?? null),
        }
      : row,
  );
}

/** The aggregate as if its new rows had been stored: each has a seq. Invoices stay without a number, which only their issue gives. */
export function stored(aggregate: Aggregate, seqs: SeqSource): Aggregate {
  const rows: PerTable<LoadedTable, 'rows'> = aggregate;
  const next = {
    ...aggregate,
    ...perTable<LoadedTable, 'rows'>(loadedTables, (table) => numbered(rows[table], seqs)),
  };
  return { ...next, deadlines: placed(aggregate.deadlines, next) };
}

const fields: { readonly [F in FieldName]: Field<Aggregate[F]> } = storedTables;

function reread<F extends FieldName>(
  next: { -readonly [G in keyof Aggregate]: Aggregate[G] },
  field: F,
  at: Date,
): void {
  const { keep } = fields[field];
  if (keep !== undefined) next[field] = keep(next[field], next, at);
}

/**
 * The aggregate as reading it again for a deadline would find it: without what is over. Keeps many steps in memory as small as the first, and
 * each deciding on what it would be given if the steps before it had been committed.
 */
export function reloaded(aggregate: Aggregate, at: Date): Aggregate {
  const next = { ...aggregate };
  for (const field of fieldNames) reread(next, field, at);
  return next;
}
