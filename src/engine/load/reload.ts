import type { Aggregate, DeadlineRow } from '../../domain/subscription/state/aggregate.ts';
import {
  type LoadedTable,
  loadedTables,
  type PerTable,
  perTable,
} from '../../domain/subscription/state/tables.ts';
import type { FieldName } from './batch.ts';
import { type Field, fieldNames, storedTables } from './tables.ts';

/**
 * Source of sequence numbers above all stored ones, so that rows created in memory sort last, in order of
 * creation.
 */
export type SeqSource = { next: bigint };

/** Creates the sequence numbers for a simulation. */
export const memorySeqs = (): SeqSource => ({ next: 1n << 62n });

type Row = { readonly seq: bigint | null };

/** Assigns `seq` to new rows. Returns the given array if it contains no new rows. */
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

/**
 * Returns the customer's state as if its new rows were already stored. Assigns `seq`, but no invoice numbers.
 */
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
 * Returns the customer's state as it would be reloaded for a deadline, without closed rows. This limits the
 * memory that long simulations use, and gives each step the same input as if the previous steps had been
 * committed.
 */
export function reloaded(aggregate: Aggregate, at: Date): Aggregate {
  const next = { ...aggregate };
  for (const field of fieldNames) reread(next, field, at);
  return next;
}
