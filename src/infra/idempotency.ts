import { createHash } from 'node:crypto';
import type { Query } from './db.ts';
import type { Secrets } from './secrets.ts';

// One stored answer per home and key for 24 hours (protocols A4, PLT-62). A row is `claimed` while its operation runs, `applied`
// once an operation around an outside call has written something, `answered` when status and body can be replayed.

/** What is replayed: exactly these bytes with this status. */
export type StoredAnswer = { readonly status: number; readonly body: string };

/** Where a key is kept: with the environment of its caller, or, where callers have none, with the operation it was sent to. */
export type KeyHome = { readonly environmentId: string } | { readonly operation: string };

/** The table of a home, its column beside the key, and what stands there. */
const placeOf = (home: KeyHome): { table: string; column: string; value: string } =>
  'operation' in home
    ? { table: '"OpenIdempotencyKey"', column: 'operation', value: home.operation }
    : { table: '"IdempotencyKey"', column: '"environmentId"', value: home.environmentId };

/** How a key was found. Only after `claimed` may the operation be executed, and after `left` only its end. */
export type Claim =
  | { readonly state: 'claimed' }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  /** Abandoned after it had written something: what it left under way is to be brought to its end. */
  | { readonly state: 'left'; readonly ids: readonly string[] }
  | { readonly state: 'answered'; readonly answer: StoredAnswer };

const keptMs = 24 * 3_600_000;
/** How long a claim that was committed by itself counts as a running request. */
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
  createHash('sha256')
    .update(`${method}\n${path}\n${body === undefined ? '' : canonical(body)}`)
    .digest('hex');

type StoredRow = {
  fingerprint: string;
  state: string;
  leaseUntil: Date;
  progress: { ids?: string[] };
  status: number | null;
  body: string | null;
  isEncrypted: boolean;
};

/** A key to be claimed for a request. */
export type KeyRequest = { readonly key: string; readonly fingerprint: string };

/** How keys are claimed: at which machine time, and how long to wait for a rival. */
type ClaimTerms = { readonly now: Date; readonly lockTimeoutMs: number };

/**
 * Claims a key inside the open transaction, waiting for a rival that has it for at most `lockTimeoutMs`; an expired row and an abandoned
 * claim are replaced. Throws the database's 55P03 when the wait was too long, for the rival's row or for the table.
 */
export async function claimKey(
  query: Query,
  home: KeyHome,
  request: KeyRequest & ClaimTerms,
  secrets: Pick<Secrets, 'decrypt'>,
): Promise<Claim> {
  const claims = await claimKeys(query, home, [request], request, secrets);
  return claimOf(claims, request.key);
}

/** The claim of a key among those asked for together. */
export function claimOf(claims: ReadonlyMap<string, Claim>, key: string): Claim {
  const claim = claims.get(key);
  if (claim === undefined) throw new Error('A key that was asked for has no claim.');
  return claim;
}

/** The same for many keys of one home, each named once: in order of the keys, so that rivals never wait for each other. */
export async function claimKeys(
  query: Query,
  home: KeyHome,
  requests: readonly KeyRequest[],
  { now, lockTimeoutMs }: ClaimTerms,
  secrets: Pick<Secrets, 'decrypt'>,
): Promise<ReadonlyMap<string, Claim>> {
  if (requests.length === 0) return new Map();
  const { table, column, value } = placeOf(home);
  const [before] = await query<{ previous: string }>(
    `SELECT current_setting('lock_timeout') AS previous, set_config('lock_timeout', $1, true)`,
    [`${lockTimeoutMs}ms`],
  );
  const claimed = await query<{ id: string }>(
    `INSERT INTO ${table} AS k
       (${column}, id, fingerprint, state, "leaseUntil", progress, status, body, "isEncrypted", "createdAt", "expiresAt")
     SELECT $1, r.id, r.fingerprint, 'claimed', $5, '{}', NULL, NULL, false, $4, $6
     FROM unnest($2::text[], $3::text[]) AS r(id, fingerprint) ORDER BY r.id
     ON CONFLICT (${column}, id) DO UPDATE SET fingerprint = excluded.fingerprint, state = excluded.state,
       "leaseUntil" = excluded."leaseUntil", progress = excluded.progress, status = NULL, body = NULL, "isEncrypted" = false,
       "createdAt" = excluded."createdAt", "expiresAt" = excluded."expiresAt"
     WHERE k."expiresAt" <= excluded."createdAt" OR (k.state = 'claimed' AND k."leaseUntil" <= excluded."createdAt")
     RETURNING k.id, set_config('lock_timeout', $7, true)`,
    [
      value,
      requests.map(({ key }) => key),
      requests.map(({ fingerprint }) => fingerprint),
      now,
      new Date(now.getTime() + leaseMs),
      new Date(now.getTime() + keptMs),
      // The bound is for these rows only; locks of the operation itself wait as they do without a key.
      before?.previous ?? '0',
    ],
  );
  const claims = new Map<string, Claim>(claimed.map(({ id }) => [id, { state: 'claimed' }]));
  const taken = requests.filter(({ key }) => !claims.has(key));
  if (taken.length > 0) for (const [key, claim] of await readClaims(query, home, taken, now, secrets)) claims.set(key, claim);
  return claims;
}

async function readClaims(
  query: Query,
  home: KeyHome,
  requests: readonly KeyRequest[],
  now: Date,
  secrets: Pick<Secrets, 'decrypt'>,
): Promise<Map<string, Claim>> {
  const { table, column, value } = placeOf(home);
  const rows = await query<StoredRow & { id: string }>(
    `SELECT id, fingerprint, state, "leaseUntil", progress, status, body, "isEncrypted" FROM ${table} WHERE ${column} = $1 AND id = ANY($2)`,
    [value, requests.map(({ key }) => key)],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return new Map(requests.map((request) => [request.key, foundAs(stored.get(request.key), request, now, secrets)]));
}

function foundAs(row: StoredRow | undefined, { fingerprint }: KeyRequest, now: Date, secrets: Pick<Secrets, 'decrypt'>): Claim {
  // It was there a moment ago; a clean-up took it in between, and the client's next attempt claims it.
  if (row === undefined) return { state: 'running' };
  if (row.fingerprint !== fingerprint) return { state: 'mismatch' };
  if (row.state === 'applied' && row.leaseUntil <= now) return { state: 'left', ids: row.progress.ids ?? [] };
  if (row.state !== 'answered' || row.status === null || row.body === null) return { state: 'running' };
  return { state: 'answered', answer: { status: row.status, body: row.isEncrypted ? secrets.decrypt(row.body) : row.body } };
}

/** Stores the answer under a key claimed in this transaction; encrypted where it holds a secret (protocols D6). */
export async function storeAnswer(
  query: Query,
  home: KeyHome,
  key: string,
  answer: StoredAnswer,
  sealWith: Pick<Secrets, 'encrypt'> | null,
): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(`UPDATE ${table} SET state = 'answered', status = $3, body = $4, "isEncrypted" = $5 WHERE ${column} = $1 AND id = $2`, [
    value,
    key,
    answer.status,
    sealWith === null ? answer.body : sealWith.encrypt(answer.body),
    sealWith !== null,
  ]);
}

/** Stores the answers under keys of an environment that were claimed in this transaction, in one statement; none of them holds a secret. */
export async function storeAnswers(query: Query, environmentId: string, answers: ReadonlyMap<string, StoredAnswer>): Promise<void> {
  if (answers.size === 0) return;
  await query(
    `UPDATE "IdempotencyKey" k SET state = 'answered', status = r.status, body = r.body
     FROM unnest($2::text[], $3::integer[], $4::text[]) AS r(id, status, body) WHERE k."environmentId" = $1 AND k.id = r.id`,
    [environmentId, [...answers.keys()], [...answers.values()].map(({ status }) => status), [...answers.values()].map(({ body }) => body)],
  );
}

/** Notes under a key claimed before what its operation has under way, in the transaction that writes it down. */
export async function noteProgress(query: Query, home: KeyHome, key: string, ids: readonly string[], now: Date): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(
    `UPDATE ${table} SET state = 'applied', progress = $3::jsonb, "leaseUntil" = $4 WHERE ${column} = $1 AND id = $2 AND state <> 'answered'`,
    [value, key, JSON.stringify({ ids }), new Date(now.getTime() + leaseMs)],
  );
}

/** Lets the same request go on at once with what its operation has under way, in place of an answer that is none yet. */
export async function leaveProgress(query: Query, home: KeyHome, key: string, now: Date): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(`UPDATE ${table} SET "leaseUntil" = $3 WHERE ${column} = $1 AND id = $2 AND state = 'applied'`, [value, key, now]);
}

/** Gives back a key that was claimed in a transaction of its own, so that the same request can be made again. */
export async function releaseKey(query: Query, home: KeyHome, key: string): Promise<void> {
  const { table, column, value } = placeOf(home);
  await query(`DELETE FROM ${table} WHERE ${column} = $1 AND id = $2 AND state = 'claimed'`, [value, key]);
}

/** True when the home's table of keys can be written to at once. Asked after a wait ran out, to tell a busy key from unusable storage. */
export async function isStorageFree(query: Query, home: KeyHome): Promise<boolean> {
  try {
    await query(`LOCK TABLE ${placeOf(home).table} IN ROW EXCLUSIVE MODE NOWAIT`);
    return true;
  } catch {
    return false;
  }
}
