import type { Database } from './db/pool.ts';
import type { Sealing } from './sealing.ts';

/** Column with encrypted values. Its table has the key columns `environmentId` and `id`. */
export type SealedColumn = { readonly table: string; readonly column: string };

/** Result of a run: the number of values that were re-encrypted, and the number of values that no secret can decrypt. */
export type Resealed = { readonly resealed: number; readonly unreadable: number };

/** Number of encrypted values that are read and written at a time. */
const batchSize = 500;

/** Maximum number of batches per column and run. The next run processes the remaining values. */
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
    // Skips deleted rows, whose encrypted value is empty until the row is removed.
    const found = await query<Found>(
      `SELECT t."environmentId", t.id, t."${column}" AS sealed FROM "${table}" t
       WHERE (t."environmentId", t.id) > ($1, $2) AND t."${column}" <> '' AND NOT starts_with(t."${column}", $3)
       ORDER BY t."environmentId", t.id LIMIT $4`,
      [after.environmentId, after.id, sealing.currentMark, batchSize],
    );
    const opened = found.map((one) => sealAnew(sealing, one));
    unreadable += opened.filter(({ next }) => next === null).length;
    const written = opened.filter(({ next }) => next !== null);
    // Values are grouped by environment, because an SQL statement must not lock rows of two environments. A value that
    // was replaced after it was read remains unchanged.
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
 * Re-encrypts values that were encrypted with older keys: up to 10,000 values per column and run. The run can be interrupted, and several
 * processes can run concurrently, because a value is replaced only if it hasn't changed. Values that can't be decrypted are skipped and
 * counted.
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
