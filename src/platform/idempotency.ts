import { hash } from 'node:crypto';
import { anchored } from './db/bulk.ts';
import { textArray } from './db/column-arrays.ts';
import { withBoundedLocks } from './db/lock-timeout.ts';
import type { Query } from './db/pool.ts';
import type { Secrets } from './secrets.ts';

// One stored answer per scope and key for 24 hours (PLT-62). A row is `claimed` while its operation runs, `applied`
// once an operation has written something its answer is still to be made of, `answered` when status and body can be replayed.

/** What is replayed: exactly these bytes with this status. */
export type StoredAnswer = { readonly status: number; readonly body: string };

/** Where a key is kept: with the environment of its caller, or, where callers have none, with the operation it was sent to. */
export type KeyScope = { readonly environmentId: string } | { readonly operation: string };

/** The table of a home, its column beside the key, and what stands there. */
const placeOf = (home: KeyScope): { table: string; column: string; value: string } =>
  'operation' in home
    ? { table: '"OpenIdempotencyKey"', column: 'operation', value: home.operation }
    : { table: '"IdempotencyKey"', column: '"environmentId"', value: home.environmentId };

/** What an operation has under way: of which of its commands, counted from 0, and what. */
export type Progress = { readonly command: number; readonly ids: readonly string[] };

/** How a key was found. Only after `claimed` may the operation be executed, and after `left` only its end. */
export type Claim =
  | { readonly state: 'claimed' }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  /** Abandoned after it had written something: what it left under way is to be brought to its end. */
  | { readonly state: 'left'; readonly left: Progress; readonly recorded: unknown }
  | { readonly state: 'answered'; readonly answer: StoredAnswer };

/** What a key that is not free is used for. */
export type FoundKey = Exclude<Claim, { readonly state: 'claimed' }>;

const keptMs = 24 * 3_600_000;
/** How long a claim that was committed alone counts as a running request. */
const leaseMs = 60_000;

/** A value as JSON with its object members in order of name, so that the same content always reads the same. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/** What makes two requests the same one: method, path with query string, and content; `undefined` is no body. */
export const fingerprintOf = (method: string, path: string, body: unknown): string =>
  hash('sha256', `${method}\n${path}\n${body === undefined ? '' : canonical(body)}`);

type StoredRow = {
  fingerprint: string;
  state: string;
  leaseUntil: Date;
  progress: Partial<Progress> & { readonly recorded?: unknown };
  status: number | null;
  body: string | null;
  isEncrypted: boolean;
};

/** A key to be claimed for a request. */
export type KeyRequest = { readonly key: string; readonly fingerprint: string };

/** At which machine time keys are looked at, and how long a rival, or the table, is waited for. */
export type KeyTerms = { readonly now: Date; readonly lockTimeoutMs: number };

// Of a stored row `k` and the one to be put in its place: expired, or claimed by a process that is gone.
const isFree = `k."expiresAt" <= excluded."createdAt" OR (k.state = 'claimed' AND k."leaseUntil" <= excluded."createdAt")`;

/**
 * Claims a key inside the open transaction, waiting for a rival that has it for at most `lockTimeoutMs`; an expired row and an abandoned
 * claim are replaced. Throws the database's 55P03 when the wait was too long, for the rival's row or for the table.
 */
export async function claimKey(
  query: Query,
  home: KeyScope,
  request: KeyRequest & KeyTerms,
  secrets: Pick<Secrets, 'decrypt'>,
): Promise<Claim> {
  const { key, fingerprint, now, lockTimeoutMs } = request;
  const { table, column, value } = placeOf(home);
  // The bound is for this row only; locks of the operation itself wait as they do without a key.
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
  // It was there a moment ago; a clean-up took it in between, and the client's next attempt claims it.
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

/** How keys that are not free are found, by key; those absent are free as far as is committed. Throws the database's 55P03 when the table is not. */
export async function findKeysInUse(
  query: Query,
  home: KeyScope,
  requests: readonly KeyRequest[],
  { now, lockTimeoutMs }: KeyTerms,
  secrets: Pick<Secrets, 'decrypt'>,
): Promise<ReadonlyMap<string, FoundKey>> {
  if (requests.length === 0) return new Map();
  const { table, column, value } = placeOf(home);
  // The table is met before anything is executed, so that the bound holds for it and is over afterwards.
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

/** Stores the answer under a key claimed in this transaction; encrypted where it holds a secret. */
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
 * What an operation in a batch leaves under its key, without a secret: its answer, or, where that is made after the commit, what was recorded for
 * it, which the same request finds as `left` at once.
 */
export type KeyResult = { readonly answer: StoredAnswer } | { readonly recorded: unknown };

/** A result to be stored under a key. */
export type KeyedResult = KeyRequest & { readonly result: KeyResult };

/** At which machine time results are stored, how long rivals are waited for, and whether keys in use were looked up before. */
type ResultTerms = KeyTerms & { readonly wereLookedUp: boolean };

/** Another request has stored its answer under one of the keys since they were looked up. */
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
 * Claims keys of an environment and stores their results at once, in order of the keys, in the open transaction. A rival that has one is waited for;
 * fails with the database's 55P03 when that was too long. Where keys were not looked up, fails with 23505 for any that was used before, be it long
 * ago; where they were, those whose time is over are replaced, and KeyTakenError is thrown when a rival was first. The statements are sent at once.
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

/** Notes under a key claimed before what its operation has under way, in the transaction that writes it down. */
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

/** Lets the same request go on at once with what its operation has under way, in place of an answer that is none yet. */
export async function leaveProgress(query: Query, home: KeyScope, key: string, now: Date): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(
    `UPDATE ${table} SET "leaseUntil" = $3 WHERE ${column} = $1 AND id = $2 AND state = 'applied'`,
    [value, key, now],
  );
}

/** Gives back a key that was claimed in a transaction of its own, so that the same request can be made again. */
export async function releaseKey(query: Query, home: KeyScope, key: string): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(`DELETE FROM ${table} WHERE ${column} = $1 AND id = $2 AND state = 'claimed'`, [value, key]);
}

/** True when the home's table of keys can be written to at once. Asked after a wait ran out, to tell a busy key from unusable storage. */
export async function isStorageFree(query: Query, home: KeyScope): Promise<boolean> {
  try {
    await query(`LOCK TABLE ${placeOf(home).table} IN ROW EXCLUSIVE MODE NOWAIT`);
    return true;
  } catch {
    return false;
  }
}
