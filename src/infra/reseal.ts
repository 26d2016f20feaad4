import type { Database } from './db.ts';
import type { Sealing } from './sealing.ts';

/**
 * Every column that is stored sealed for longer than a day, so that it outlives a change of `APP_SECRET` (protocols D6). Answers under idempotency
 * keys that hold a secret are sealed too, and gone after 24 hours.
 */
export const sealedColumns = [
  { table: 'PaymentConnection', column: 'secretKey' },
  { table: 'PaymentConnection', column: 'webhookSecret' },
  { table: 'Webhook', column: 'sealedSecret' },
  { table: 'PayoutBankAccount', column: 'sealedNumber' },
  { table: 'PayoutBankAccount', column: 'sealedRoutingNumber' },
  { table: 'PayoutVerification', column: 'sealedDetails' },
] as const;

type SealedColumn = (typeof sealedColumns)[number];

/** What one round did: values sealed anew, and values none of the secrets opens. */
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

async function resealColumn({ query }: Pick<Database, 'query'>, sealing: Sealing, { table, column }: SealedColumn): Promise<Resealed> {
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
    // Environment by environment, since no statement locks rows of two (protocols A10). What was replaced meanwhile is left alone.
    for (const [environmentId, rows] of Map.groupBy(written, (row) => row.environmentId)) {
      const changed = await query(
        `UPDATE "${table}" t SET "${column}" = r.next FROM unnest($2::text[], $3::text[], $4::text[]) AS r(id, sealed, next)
         WHERE t."environmentId" = $1 AND t.id = r.id AND t."${column}" = r.sealed RETURNING t.id`,
        [environmentId, rows.map(({ id }) => id), rows.map(({ sealed }) => sealed), rows.map(({ next }) => next)],
      );
      resealed += changed.length;
    }
    after = found.at(-1) ?? after;
    if (found.length < batchSize) break;
  }
  return { resealed, unreadable };
}

/**
 * Seals with the current key what older ones sealed, 500 values a batch and 10 000 of each column a round. It can be stopped at any time and run
 * by several processes at once: a value is replaced only by itself. What cannot be opened is passed over and counted.
 */
export async function reseal(database: Pick<Database, 'query'>, sealing: Sealing): Promise<Resealed> {
  let [resealed, unreadable] = [0, 0];
  for (const column of sealedColumns) {
    const one = await resealColumn(database, sealing, column);
    resealed += one.resealed;
    unreadable += one.unreadable;
  }
  return { resealed, unreadable };
}
