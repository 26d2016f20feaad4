import { hash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../domain/text/json.ts';
import { anchored } from './db/bulk.ts';
import { textArray } from './db/column-arrays.ts';
import { withBoundedLocks } from './db/lock-timeout.ts';
import type { Query } from './db/pool.ts';
import { isLockTimeout } from './db/unique.ts';
import type { Secrets } from './secrets.ts';

// Stores idempotency keys and their responses for 24 hours (PLT-62). A key is `claimed` while its operation runs, `applied` after the operation has
// written data, and `answered` after the response is stored.

/** Stored response. A repeated request gets the same status and body. */
export type StoredAnswer = { readonly status: number; readonly body: string };

/** Scope of a key: the caller's environment, or the operation if callers are anonymous. */
export type KeyScope = { readonly environmentId: string } | { readonly operation: string };

/** Returns the table for the keys of a scope, and the key column that contains the scope, with its value. */
const placeOf = (home: KeyScope): { table: string; column: string; value: string } =>
  'operation' in home
    ? { table: '"OpenIdempotencyKey"', column: 'operation', value: home.operation }
    : { table: '"IdempotencyKey"', column: '"environmentId"', value: home.environmentId };

/** An operation's unfinished work: the interrupted command's index, starting at 0, and the IDs of its provider requests. */
export type Progress = { readonly command: number; readonly ids: readonly string[] };

/** State of a key. In the state `claimed`, the operation can be executed. In the state `left`, its unfinished work must be completed. */
export type Claim =
  | { readonly state: 'claimed' }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  /** The operation has written data but was interrupted. Its unfinished work must be completed. */
  | { readonly state: 'left'; readonly left: Progress; readonly recorded: unknown }
  | { readonly state: 'answered'; readonly answer: StoredAnswer };

/** State of a key that an earlier request has used. */
export type FoundKey = Exclude<Claim, { readonly state: 'claimed' }>;

const keptMs = 24 * 3_600_000;
/** Time in milliseconds that a claim committed in a separate transaction is treated as a running request. */
const leaseMs = 60_000;

/** Properties that must match for a request to be treated as a retry. `body` is undefined if the request has no body. */
export type RequestContent = {
  readonly credential: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

/** Returns the fingerprint of a request. Includes the credential, so that other callers can't read the stored response (PLT-62). */
export const fingerprintOf = ({ credential, method, path, body }: RequestContent): string =>
  hash('sha256', `${credential}\n${method}\n${path}\n${body === undefined ? '' : canonicalJson(body)}`);

type StoredRow = {
  fingerprint: string;
  state: string;
  leaseUntil: Date;
  progress: Partial<Progress> & { readonly recorded?: unknown };
  status: number | null;
  body: string | null;
  isEncrypted: boolean;
};

export type KeyRequest = { readonly key: string; readonly fingerprint: string };

/** Current real time, and the maximum time in milliseconds to wait for a concurrent request. */
export type KeyTerms = { readonly now: Date; readonly lockTimeoutMs: number };

// SQL condition for a stored key that can be replaced: it has expired, or the process that claimed it has crashed.
const isFree = `k."expiresAt" <= excluded."createdAt" OR (k.state = 'claimed' AND k."leaseUntil" <= excluded."createdAt")`;

/**
 * Claims a key in the open transaction. Waits up to `lockTimeoutMs` for a concurrent request with the same key. Replaces expired keys and abandoned
 * claims. Throws the database error 55P03 after the timeout.
 */
export async function claimKey(
  query: Query,
  home: KeyScope,
  request: KeyRequest & KeyTerms,
  secrets: Pick<Secrets, 'decrypt'>,
): Promise<Claim> {
  const { key, fingerprint, now, lockTimeoutMs } = request;
  const { table, column, value } = placeOf(home);
  // The lock timeout only applies to the key, not to the operation's own locks.
  const claimed = await withBoundedLocks(query, lockTimeoutMs, () =>
    query(
      `INSERT INTO ${table} AS k
       (${column}, id, fingerprint, state, "leaseUntil", progress, status, body, "isEncrypted", "createdAt", "expiresAt")
     VALUES ($1, $2, $3, 'claimed', $5, '{}', NULL, NULL, false, $4, $6)
     ON CONFLICT (${column}, id) DO UPDATE SET fingerprint = excluded.fingerprint, state = excluded.state,
       "leaseUntil" = excluded."leaseUntil", progress = excluded.progress, status = NULL, body = NULL, "isEncrypted" = false,
       "createdAt" = excluded."createdAt", "expiresAt" = excluded."expiresAt"
     WHERE ${isFree}
     RETURNING k.id`,
      [value, key, fingerprint, now, new Date(now.getTime() + leaseMs), new Date(now.getTime() + keptMs)],
    ),
  );
  if (claimed.length > 0) return { state: 'claimed' };
  const [row] = await query<KeyRow>(`SELECT ${keyColumns} FROM ${table} WHERE ${column} = $1 AND id = $2`, [
    value,
    key,
  ]);
  return foundAs(row, fingerprint, now, secrets);
}

type KeyRow = StoredRow & { readonly id: string; readonly expiresAt: Date };

const keyColumns = 'id, fingerprint, state, status, body, "isEncrypted", "leaseUntil", progress, "expiresAt"';

function foundAs(
  row: StoredRow | undefined,
  fingerprint: string,
  now: Date,
  secrets: Pick<Secrets, 'decrypt'>,
): FoundKey {
  // The row was deleted after the claim failed, so a retry can claim the key.
  if (row === undefined) return { state: 'running' };
  if (row.fingerprint !== fingerprint) return { state: 'mismatch' };
  if (row.state === 'applied' && row.leaseUntil <= now) {
    const { command = 0, ids = [], recorded = null } = row.progress;
    return { state: 'left', left: { command, ids }, recorded };
  }
  if (row.state !== 'answered' || row.status === null || row.body === null) return { state: 'running' };
  return {
    state: 'answered',
    answer: { status: row.status, body: row.isEncrypted ? secrets.decrypt(row.body) : row.body },
  };
}

/** Returns the states of the keys that are in use, by key. Throws the database error 55P03 if the table is locked. */
export async function findKeysInUse(
  query: Query,
  home: KeyScope,
  requests: readonly KeyRequest[],
  { now, lockTimeoutMs }: KeyTerms,
  secrets: Pick<Secrets, 'decrypt'>,
): Promise<ReadonlyMap<string, FoundKey>> {
  if (requests.length === 0) return new Map();
  const { table, column, value } = placeOf(home);
  // Accesses the table of keys before the operation runs, so that the lock timeout covers the access.
  const found = await withBoundedLocks(query, lockTimeoutMs, () =>
    query<KeyRow>(
      `SELECT k.* FROM unnest($2::text[]) AS named(key) CROSS JOIN LATERAL (
         SELECT ${keyColumns} FROM ${table} WHERE ${column} = $1 AND id = named.key OFFSET 0) k`,
      [value, textArray(requests.map(({ key }) => key))],
    ),
  );
  const rows = new Map(found.map((row) => [row.id, row]));
  const inUse = new Map<string, FoundKey>();
  for (const { key, fingerprint } of requests) {
    const row = rows.get(key);
    const isOver =
      row !== undefined && (row.expiresAt <= now || (row.state === 'claimed' && row.leaseUntil <= now));
    if (row !== undefined && !isOver) inUse.set(key, foundAs(row, fingerprint, now, secrets));
  }
  return inUse;
}

/** Stores the response for a key that this transaction claimed. Encrypts a response that contains a secret. */
export async function storeAnswer(
  query: Query,
  home: KeyScope,
  key: string,
  answer: StoredAnswer,
  sealWith: Pick<Secrets, 'encrypt'> | null,
): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(
    `UPDATE ${table} SET state = 'answered', status = $3, body = $4, "isEncrypted" = $5 WHERE ${column} = $1 AND id = $2`,
    [
      value,
      key,
      answer.status,
      sealWith === null ? answer.body : sealWith.encrypt(answer.body),
      sealWith !== null,
    ],
  );
}

/**
 * Result of a batched operation: its response, or the recorded outcome if the response is built after the commit. For a recorded outcome, a retry
 * gets the state `left`.
 */
export type KeyResult = { readonly answer: StoredAnswer } | { readonly recorded: unknown };

export type KeyedResult = KeyRequest & { readonly result: KeyResult };

/** Real time, the maximum waiting time for concurrent requests, and whether the keys were already looked up. */
type ResultTerms = KeyTerms & { readonly wereLookedUp: boolean };

/** Error thrown if a concurrent request has used a key after the keys were looked up. */
export class KeyTakenError extends Error {
  override name = 'KeyTakenError';
}

const answerIn = ({ result }: KeyedResult): StoredAnswer | null =>
  'answer' in result ? result.answer : null;

const replacing = `ON CONFLICT ("environmentId", id) DO UPDATE SET fingerprint = excluded.fingerprint, state = excluded.state,
       "leaseUntil" = excluded."leaseUntil", progress = excluded.progress, status = excluded.status, body = excluded.body,
       "isEncrypted" = false, "createdAt" = excluded."createdAt", "expiresAt" = excluded."expiresAt"
     WHERE ${isFree}`;

const storing = (onConflict: string): string =>
  `INSERT INTO "IdempotencyKey" AS k
       ("environmentId", id, fingerprint, state, "leaseUntil", progress, status, body, "isEncrypted", "createdAt", "expiresAt")
     ${anchored(
       `r.id, r.fingerprint, (CASE WHEN r.body IS NULL THEN 'applied' ELSE 'answered' END)::"IdempotencyState", $7,
       coalesce(r.progress, '{}')::jsonb, r.status, r.body, false, $7, $8`,
       'unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::text[]) AS r(id, fingerprint, status, body, progress)',
     )} ORDER BY r.id ${onConflict} RETURNING k.id`;
const storingNew = storing('');
const storingOrReplacing = storing(replacing);

/**
 * Claims keys in an environment and stores their results in the open transaction. Waits for concurrent requests, and throws the database
 * error 55P03 after the timeout. If the keys weren't looked up before, throws 23505 for a key that already exists. After a lookup, replaces
 * expired keys, and throws KeyTakenError if a concurrent request has used a key. All statements are sent together.
 */
export async function storeResults(
  query: Query,
  environmentId: string,
  results: readonly KeyedResult[],
  { now, lockTimeoutMs, wereLookedUp }: ResultTerms,
): Promise<void> {
  if (results.length === 0) return;
  const stored = await withBoundedLocks(query, lockTimeoutMs, () =>
    query(wereLookedUp ? storingOrReplacing : storingNew, [
      environmentId,
      textArray(results.map(({ key }) => key)),
      textArray(results.map(({ fingerprint }) => fingerprint)),
      results.map((keyed) => answerIn(keyed)?.status ?? null),
      textArray(results.map((keyed) => answerIn(keyed)?.body ?? null)),
      textArray(
        results.map(({ result }) =>
          'answer' in result ? null : JSON.stringify({ recorded: result.recorded }),
        ),
      ),
      now,
      new Date(now.getTime() + keptMs),
    ]),
  );
  if (stored.length < results.length) throw new KeyTakenError('An idempotency key is in use.');
}

/** Records the unfinished work of an operation in the transaction that writes the work. */
export async function noteProgress(
  query: Query,
  home: KeyScope,
  key: string,
  progress: Progress,
  now: Date,
): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(
    `UPDATE ${table} SET state = 'applied', progress = $3::jsonb, "leaseUntil" = $4 WHERE ${column} = $1 AND id = $2 AND state <> 'answered'`,
    [value, key, JSON.stringify(progress), new Date(now.getTime() + leaseMs)],
  );
}

/** Marks an operation as interrupted, so that a retry can resume it immediately. */
export async function leaveProgress(query: Query, home: KeyScope, key: string, now: Date): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(
    `UPDATE ${table} SET "leaseUntil" = $3 WHERE ${column} = $1 AND id = $2 AND state = 'applied'`,
    [value, key, now],
  );
}

/** Deletes a claimed key, so that a retry of the request executes the operation. */
export async function releaseKey(query: Query, home: KeyScope, key: string): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(`DELETE FROM ${table} WHERE ${column} = $1 AND id = $2 AND state = 'claimed'`, [value, key]);
}

/** Maximum time in milliseconds that `isKeyHeld` waits for a lock. */
const probeMs = 100;

/**
 * Returns true if another transaction that is still open has used the key. Used after a timeout to distinguish a key in use from locked storage, for
 * example while a cluster moves rows to another server. Writes rows, so the caller must roll back the transaction. Throws the database error 55P03 if
 * the storage is locked.
 */
export async function isKeyHeld(query: Query, home: KeyScope, key: string, now: Date): Promise<boolean> {
  const { table, column, value } = placeOf(home);
  const insert = (id: string) =>
    withBoundedLocks(query, probeMs, () =>
      query(
        `INSERT INTO ${table} (${column}, id, fingerprint, state, "leaseUntil", progress, status, body, "isEncrypted", "createdAt", "expiresAt")
         VALUES ($1, $2, '', 'claimed', $3, '{}', NULL, NULL, false, $3, $3) ON CONFLICT (${column}, id) DO NOTHING`,
        [value, id, now],
      ),
    );
  await insert(`probe ${randomUUID()}`);
  return insert(key).then(
    () => false,
    (error: unknown) => {
      if (isLockTimeout(error)) return true;
      throw error;
    },
  );
}

/** Returns true if a request has claimed the environment's key after the given time. */
export async function wasKeyUsedSince(sql: Query, key: string, since: Date): Promise<boolean> {
  const rows = await sql(
    `SELECT FROM "IdempotencyKey" WHERE "environmentId" = $1 AND id = $2 AND "createdAt" > $3`,
    [key, since],
  );
  return rows.length > 0;
}
