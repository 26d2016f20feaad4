import type { KeyPolicy } from '../domain/limits/key-policy.ts';
import type { MemberRole } from '../domain/limits/member-roles.ts';
import { answersByEnvironment, type Reader, readByEnvironment } from './db/distribution.ts';
import type { Query } from './db/pool.ts';

/** Environment with the organization settings that most requests need. */
export type EnvironmentDetails = {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /**
   * Country of the organization, as an uppercase ISO 3166-1 alpha-2 code. `null` if the organization hasn't set a
   * country.
   */
  readonly organizationCountry: string | null;
  readonly livemode: boolean;
  readonly pinnedVersion: string | null;
  /** True if the organization can restrict offers to cards (OFR-38). */
  readonly cardPromotions: boolean;
  /** True if the organization was created with the public endpoint `POST /provision`. */
  readonly isProvisioned: boolean;
  /** Time of the sandbox's test clock. `null` in the live environment, and if the clock was never advanced. */
  readonly simulatedTime: Date | null;
  /** True if the environment has, or had, limits on the operations of API keys or members. */
  readonly limitsCallers: boolean;
};

type KeyDetails = {
  readonly id: string;
  readonly scopes: readonly string[];
  /** Permissions by area. Empty if the scopes apply to all areas. */
  readonly permissions: readonly string[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Limits on the operations of the key. `null` if the key has no policy. */
  readonly policy: KeyPolicy | null;
};

type Row = EnvironmentDetails & { mode: string };
type KeyRow = Row & {
  apiKeyId: string;
  scopes: string[];
  permissions: string[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  policy: KeyPolicy | null;
  /** Time at which the access token expires. `null` unless the secret is an access token. */
  tokenExpiresAt: Date | null;
};

const columnsWith = (simulatedTime: string, limitsCallers: string): string =>
  `e.id, e."organizationId", o.name AS "organizationName", o.country AS "organizationCountry", e.mode, o."pinnedVersion", o."cardPromotions", o."isProvisioned", ${simulatedTime} AS "simulatedTime", ${limitsCallers} AS "limitsCallers"`;
/** Excludes archived organizations, which have no access (PLT-5). */
const organizationJoin = `JOIN "Organization" o ON o.id = e."organizationId" AND o."archivedAt" IS NULL`;

/** SQL columns for the environment `e`, and the joins that these columns need. */
type EnvironmentParts = { readonly columns: string; readonly joins: string };

/** SQL: joins the clock and the counters of an environment. */
const stateJoins = (environmentId: string): string =>
  `LEFT JOIN "TestClock" c ON c."environmentId" = ${environmentId} LEFT JOIN "EnvironmentCounter" n ON n."environmentId" = ${environmentId}`;

const withStates: EnvironmentParts = {
  columns: columnsWith('c."simulatedTime"', 'coalesce(n."limitsCallers", FALSE)'),
  joins: `${organizationJoin} ${stateJoins('e.id')}`,
};
const withoutStates: EnvironmentParts = {
  columns: columnsWith('NULL::timestamptz', 'FALSE'),
  joins: organizationJoin,
};

/** Clock and counters of an environment that a request needs. */
type EnvironmentState = Pick<EnvironmentDetails, 'simulatedTime' | 'limitsCallers'>;

/**
 * Reads environments. In a distributed database, the clock and the counters are stored on another node, so a separate SQL statement reads
 * them.
 */
async function readEnvironments<R extends Row>(
  database: Reader,
  textOf: (parts: EnvironmentParts) => string,
  params: readonly unknown[],
): Promise<R[]> {
  const { query, isDistributed } = database;
  if (!(await isDistributed())) return query<R>(textOf(withStates), params);
  const rows = await query<R>(textOf(withoutStates), params);
  const references = [...new Set(rows.map(({ id }) => id))].map((environmentId) => ({ environmentId }));
  const states = await readByEnvironment(database, references, (within, environmentId) =>
    within<EnvironmentState & { environmentId: string }>(
      `SELECT n."environmentId", c."simulatedTime", n."limitsCallers" FROM "EnvironmentCounter" n
       LEFT JOIN "TestClock" c ON c."environmentId" = n."environmentId" WHERE n."environmentId" = $1`,
      [environmentId],
    ),
  );
  const byId = new Map(states.map(({ environmentId, ...state }) => [environmentId, state]));
  return rows.map((row) => ({ ...row, ...byId.get(row.id) }));
}

const details = (row: Row): EnvironmentDetails => ({
  id: row.id,
  organizationId: row.organizationId,
  organizationName: row.organizationName,
  organizationCountry: row.organizationCountry,
  livemode: row.mode === 'live',
  pinnedVersion: row.pinnedVersion,
  cardPromotions: row.cardPromotions,
  isProvisioned: row.isProvisioned,
  simulatedTime: row.simulatedTime,
  limitsCallers: row.limitsCallers,
});

/** API key that was found by its hash, with its environment. */
export type FoundKey = { readonly key: KeyDetails; readonly environment: EnvironmentDetails };

const keyColumns = `k.id AS "apiKeyId", k.scopes, k.permissions, k."expiresAt", k."lastUsedAt", k.policy, ${withStates.columns}`;
const keyJoins = `JOIN "Environment" e ON e.id = k."environmentId" ${organizationJoin}
     ${stateJoins('k."environmentId"')}`;

/** Returns the earlier time. `null` if there's none. */
const earlier = (a: Date | null, b: Date | null): Date | null =>
  a === null || (b !== null && b < a) ? b : a;

const foundAs = (row: KeyRow): FoundKey => ({
  key: {
    id: row.apiKeyId,
    scopes: row.scopes,
    permissions: row.permissions,
    expiresAt: earlier(row.expiresAt, row.tokenExpiresAt),
    lastUsedAt: row.lastUsedAt,
    policy: row.policy,
  },
  environment: details(row),
});

/**
 * Finds API keys in a distributed database. The coordinator knows the environment of each hash. A server that is unavailable affects only the
 * keys of environments on this server.
 */
async function findDistributedKeys(
  database: Reader,
  hashes: readonly string[],
): Promise<(null | Promise<FoundKey | null>)[]> {
  const places = await database.query<{
    hash: string;
    environmentId: string;
    apiKeyId: string;
    tokenExpiresAt: Date | null;
  }>(
    'SELECT hash, "environmentId", "apiKeyId", "expiresAt" AS "tokenExpiresAt" FROM "ApiKeyHash" WHERE hash = ANY($1)',
    [hashes],
  );
  const answers = answersByEnvironment(
    database,
    places,
    (within, environmentId, own) =>
      within<Omit<KeyRow, 'tokenExpiresAt'>>(
        `SELECT ${keyColumns} FROM "ApiKey" k ${keyJoins} WHERE k."environmentId" = $1 AND k.id = ANY($2)`,
        [environmentId, own.map(({ apiKeyId }) => apiKeyId)],
      ),
    (rows, { apiKeyId, tokenExpiresAt }) => {
      const row = rows.find((each) => each.apiKeyId === apiKeyId);
      return row === undefined ? null : foundAs({ ...row, tokenExpiresAt });
    },
  );
  const byHash = new Map(places.map(({ hash }, index) => [hash, answers[index] ?? null]));
  return hashes.map((hash) => byHash.get(hash) ?? null);
}

/**
 * Returns the API keys with these hashes, in the same order, including expired keys. `null` if a key doesn't exist.
 * Executes one SQL statement on a single server. In a distributed database, each key is a separate promise.
 */
export async function findKeys(
  database: Reader,
  hashes: readonly string[],
): Promise<(FoundKey | null | Promise<FoundKey | null>)[]> {
  if (await database.isDistributed()) return findDistributedKeys(database, hashes);
  const rows = await database.query<KeyRow & { readonly hash: string }>(
    `SELECT h.hash, h."expiresAt" AS "tokenExpiresAt", ${keyColumns} FROM "ApiKeyHash" h
     JOIN "ApiKey" k ON k."environmentId" = h."environmentId" AND k.id = h."apiKeyId" ${keyJoins} WHERE h.hash = ANY($1)`,
    [hashes],
  );
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash);
    return row === undefined ? null : foundAs(row);
  });
}

export type MembershipDetails = {
  readonly memberId: string;
  readonly role: MemberRole;
  readonly environment: EnvironmentDetails;
};

/**
 * Returns a user's membership in an organization, with the requested environment. Defaults to the organization that the
 * user joined first. `null` if the membership doesn't exist.
 */
export async function findMembership(
  database: Reader,
  userId: string,
  mode: 'live' | 'sandbox',
  organizationId: string | null,
): Promise<MembershipDetails | null> {
  const [row] = await readEnvironments<Row & Pick<MembershipDetails, 'memberId' | 'role'>>(
    database,
    ({ columns, joins }) => `SELECT m.id AS "memberId", m.role, ${columns}
     FROM "Member" m JOIN "Environment" e ON e."organizationId" = m."organizationId" AND e.mode = $2::"Mode" ${joins}
     WHERE m."userId" = $1 AND ($3::text IS NULL OR m."organizationId" = $3) ORDER BY m."createdAt", m.id LIMIT 1`,
    [userId, mode, organizationId],
  );
  return row === undefined ? null : { memberId: row.memberId, role: row.role, environment: details(row) };
}

/** Membership of a signed-in user, with one of the organization's environments. */
export type SignedInMembership = MembershipDetails & {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly isEmailVerified: boolean;
  readonly provenAt: Date | null;
};

/**
 * Returns the membership of a signed-in user for an environment. `null` if the session isn't valid or the environment
 * belongs to another organization. Executes one SQL statement.
 */
export async function findSignedIn(
  database: Reader,
  { sessionId, memberId }: SignedInMember,
  environmentId: string,
  now: Date,
): Promise<SignedInMembership | null> {
  const [row] = await readEnvironments<Row & Omit<SignedInMembership, 'environment'>>(
    database,
    ({
      columns,
      joins,
    }) => `SELECT m.id AS "memberId", m.role, p.id AS "personId", p.email, p.name AS name, p."emailVerified" AS "isEmailVerified", s."provenAt", ${columns}
     FROM "Session" s JOIN "Person" p ON p.id = s."userId" JOIN "Member" m ON m."userId" = s."userId" AND m.id = $2
     JOIN "Environment" e ON e."organizationId" = m."organizationId" AND e.id = $3 ${joins}
     WHERE s.id = $1 AND s."expiresAt" > $4`,
    [sessionId, memberId, environmentId, now],
  );
  if (row === undefined) return null;
  const { memberId: id, role, personId, email, name, isEmailVerified, provenAt } = row;
  return { memberId: id, role, personId, email, name, isEmailVerified, provenAt, environment: details(row) };
}

export type SignedInMember = { readonly sessionId: string; readonly memberId: string };

/**
 * Returns the current role of each member, in the same order. `null` if the member left the organization or the
 * session has ended. Executes one SQL statement.
 */
export async function findRoles(
  query: Query,
  members: readonly SignedInMember[],
  now: Date,
): Promise<(MembershipDetails['role'] | null)[]> {
  const rows = await query<{ place: number; role: MembershipDetails['role'] }>(
    `SELECT w.place::integer AS place, m.role FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w("sessionId", "memberId", place)
     JOIN "Session" s ON s.id = w."sessionId" AND s."expiresAt" > $3
     JOIN "Member" m ON m.id = w."memberId" AND m."userId" = s."userId"`,
    [members.map(({ sessionId }) => sessionId), members.map(({ memberId }) => memberId), now],
  );
  const byPlace = new Map(rows.map(({ place, role }) => [place, role]));
  return members.map((_member, index) => byPlace.get(index + 1) ?? null);
}

export type KeyReference = { readonly environmentId: string; readonly apiKeyId: string };

/**
 * Checks which API keys exist and haven't expired. Executes one SQL statement on a single server. In a distributed database, each result is a
 * separate promise.
 */
export async function findWorkingKeys(
  database: Reader,
  keys: readonly KeyReference[],
  now: Date,
): Promise<(boolean | Promise<boolean>)[]> {
  const isWorking = (rows: readonly { readonly id: string }[], { apiKeyId }: KeyReference): boolean =>
    rows.some(({ id }) => id === apiKeyId);
  if (await database.isDistributed())
    return answersByEnvironment(
      database,
      keys,
      (within, environmentId, own) =>
        within<{ id: string }>(
          'SELECT id FROM "ApiKey" WHERE "environmentId" = $1 AND id = ANY($2) AND ("expiresAt" IS NULL OR "expiresAt" > $3)',
          [environmentId, own.map(({ apiKeyId }) => apiKeyId), now],
        ),
      isWorking,
    );
  const rows = await database.query<{ id: string }>(
    `SELECT k.id FROM unnest($1::text[], $2::text[]) AS w("environmentId", id)
     JOIN "ApiKey" k ON k."environmentId" = w."environmentId" AND k.id = w.id WHERE k."expiresAt" IS NULL OR k."expiresAt" > $3`,
    [keys.map(({ environmentId }) => environmentId), keys.map(({ apiKeyId }) => apiKeyId), now],
  );
  const working = new Set(rows.map(({ id }) => id));
  return keys.map(({ apiKeyId }) => working.has(apiKeyId));
}

/**
 * Returns the environments with these IDs, except environments of archived organizations. Executes one SQL statement on
 * a single server.
 */
export const findEnvironments = async (
  database: Reader,
  ids: readonly string[],
): Promise<EnvironmentDetails[]> =>
  (
    await readEnvironments<Row>(
      database,
      ({ columns, joins }) => `SELECT ${columns} FROM "Environment" e ${joins} WHERE e.id = ANY($1)`,
      [ids],
    )
  ).map(details);

/** Returns the environment with this ID. `null` if it doesn't exist or its organization is archived. */
export async function findEnvironment(database: Reader, id: string): Promise<EnvironmentDetails | null> {
  const [row] = await readEnvironments<Row>(
    database,
    ({ columns, joins }) => `SELECT ${columns} FROM "Environment" e ${joins} WHERE e.id = $1`,
    [id],
  );
  return row === undefined ? null : details(row);
}

/** Records the time at which an API key was used, at most once per minute (PLT-12). */
export async function touchKey(
  query: Query,
  environmentId: string,
  apiKeyId: string,
  now: Date,
): Promise<void> {
  await query(
    `UPDATE "ApiKey" SET "lastUsedAt" = $3 WHERE "environmentId" = $1 AND id = $2 AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= $4)`,
    [environmentId, apiKeyId, now, new Date(now.getTime() - 60_000)],
  );
}

/** Returns the pub/sub topic that announces the deletion of an API key. The notification closes the sockets that use the key. */
export const keyTopic = (apiKeyId: string): string => `key:${apiKeyId}`;
