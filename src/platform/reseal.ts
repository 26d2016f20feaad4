import type { Database } from './db/pool.ts';
import type { Sealing } from './sealing.ts';

/** A column that is stored sealed. Its table has the key columns `environmentId` and `id`. */
export type SealedColumn = { readonly table: string; readonly column: string };

/** What one round did: values sealed again, and values none of the secrets opens. */
export type Resealed = { readonly resealed: number; readonly unreadable: number };

/** Values read per statement. */
const batchSize = 500;

/** How many such batches of one column one round may take before it leaves the rest for the next. */
const maxBatches = 20;

type Found = { readonly environmentId: string; readonly id: string; readonly sealed: string };
type Opened = Found & { readonly next: string | null };

function sealAnew({ encrypt, decrypt }: Sealing, found: Found): Opened {
  try {
    return { ...found, next: encrypt(decrypt(found.sealed)) };
  } catch {
    return { ...found, next: null };
  }
}

async function resealColumn(
  { query }: Pick<Database, 'query'>,
  sealing: Sealing,
  { table, column }: SealedColumn,
): Promise<Resealed> {
  let [resealed, unreadable] = [0, 0];
  let after: Pick<Found, 'environmentId' | 'id'> = { environmentId: '', id: '' };
  for (let batch = 0; batch < maxBatches; batch++) {
    // What is deleted keeps its row for a while and an empty text in it.
    const found = await query<Found>(
      `SELECT t."environmentId", t.id, t."${column}" AS sealed FROM "${table}" t
       WHERE (t."environmentId", t.id) > ($1, $2) AND t."${column}" <> '' AND NOT starts_with(t."${column}", $3)
       ORDER BY t."environmentId", t.id LIMIT $4`,
      [after.environmentId, after.id, sealing.currentMark, batchSize],
    );
    const opened = found.map((one) => sealAnew(sealing, one));
    unreadable += opened.filter(({ next }) => next === null).length;
    const written = opened.filter(({ next }) => next !== null);
    // Environment by environment, since no statement locks rows of two. What was replaced meanwhile is left alone.
    for (const [environmentId, rows] of Map.groupBy(written, (row) => row.environmentId)) {
      const changed = await query(
        `UPDATE "${table}" t SET "${column}" = r.next FROM unnest($2::text[], $3::text[], $4::text[]) AS r(id, sealed, next)
         WHERE t."environmentId" = $1 AND t.id = r.id AND t."${column}" = r.sealed RETURNING t.id`,
        [
          environmentId,
          rows.map(({ id }) => id),
          rows.map(({ sealed }) => sealed),
          rows.map(({ next }) => next),
        ],
      );
      resealed += changed.length;
    }
    after = found.at(-1) ?? after;
    if (found.length < batchSize) break;
  }
  return { resealed, unreadable };
}

/**
 * Seals with the current key what older ones sealed in these columns, 500 values a batch and 10 000 of each column a round. It can be stopped at any time and run
 * by several processes at once: a value is replaced only where it still is what was read. What cannot be opened is passed over and counted.
 */
export async function reseal(
  database: Pick<Database, 'query'>,
  sealing: Sealing,
  columns: readonly SealedColumn[],
): Promise<Resealed> {
  let [resealed, unreadable] = [0, 0];
  for (const column of columns) {
    const one = await resealColumn(database, sealing, column);
    resealed += one.resealed;
    unreadable += one.unreadable;
  }
  return { resealed, unreadable };
}
