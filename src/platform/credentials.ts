import type { Query } from './db/pool.ts';

/** What an API key or an environment id leads to. */
export type EnvironmentDetails = {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Where the organization sells from, upper-case ISO 3166-1 alpha-2; null when it has not said. */
  readonly organizationCountry: string | null;
  readonly livemode: boolean;
  readonly pinnedVersion: string | null;
  /** Whether the organization may tie offers to cards (OFR-38). */
  readonly cardPromotions: boolean;
  /** Whether it was made by `POST /provision`, which is open to anybody. */
  readonly isProvisioned: boolean;
  /** Where the sandbox's test clock stands; null in live mode and while it was never moved. */
  readonly simulatedTime: Date | null;
};

export type KeyDetails = {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
};

type Row = EnvironmentDetails & { mode: string };
type KeyRow = Row & {
  hash: string;
  apiKeyId: string;
  scopes: string[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

const environmentColumns = `e.id, e."organizationId", o.name AS "organizationName", o.country AS "organizationCountry", e.mode, o."pinnedVersion", o."cardPromotions", o."isProvisioned", c."simulatedTime"`;
const environmentJoins = `JOIN "Organization" o ON o.id = e."organizationId" LEFT JOIN "TestClock" c ON c."environmentId" = e.id`;

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
});

/** A key and the environment it leads to. */
export type FoundKey = { readonly key: KeyDetails; readonly environment: EnvironmentDetails };

const keyJoins = `JOIN "ApiKey" k ON k."environmentId" = h."environmentId" AND k.id = h."apiKeyId"
     JOIN "Environment" e ON e.id = h."environmentId" ${environmentJoins}`;
/** Finds the keys with these hashes, expired or not, and their environments, in the order asked; null for one that does not exist. One statement. */
export async function findKeys(query: Query, hashes: readonly string[]): Promise<(FoundKey | null)[]> {
  const rows = await query<KeyRow>(
    `SELECT h.hash, h."apiKeyId", k.scopes, k."expiresAt", k."lastUsedAt", ${environmentColumns}
     FROM "ApiKeyHash" h ${keyJoins}
     WHERE h.hash = ANY($1)`,
    [hashes],
  );
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash);
    if (row === undefined) return null;
    const key = {
      id: row.apiKeyId,
      scopes: row.scopes,
      expiresAt: row.expiresAt,
      lastUsedAt: row.lastUsedAt,
    };
    return { key, environment: details(row) };
  });
}

export type MembershipDetails = {
  readonly memberId: string;
  readonly role: 'owner' | 'admin' | 'member';
  readonly environment: EnvironmentDetails;
};

/** A person's membership of the organization, or of the one joined first when none is named, with the environment of the mode; null when there is none. */
export async function findMembership(
  query: Query,
  userId: string,
  mode: 'live' | 'sandbox',
  organizationId: string | null,
): Promise<MembershipDetails | null> {
  const [row] = await query<Row & Pick<MembershipDetails, 'memberId' | 'role'>>(
    `SELECT m.id AS "memberId", m.role, ${environmentColumns}
     FROM "Member" m JOIN "Environment" e ON e."organizationId" = m."organizationId" AND e.mode = $2::"Mode" ${environmentJoins}
     WHERE m."userId" = $1 AND ($3::text IS NULL OR m."organizationId" = $3) ORDER BY m."createdAt", m.id LIMIT 1`,
    [userId, mode, organizationId],
  );
  return row === undefined ? null : { memberId: row.memberId, role: row.role, environment: details(row) };
}

/** Whether a session was not ended: by a sign-out, or by a changed password. */
export async function isSignedIn(query: Query, sessionId: string): Promise<boolean> {
  return (await query('SELECT 1 FROM "Session" WHERE id = $1', [sessionId])).length === 1;
}

/** Finds an environment by its id; null when there is none. */
export async function findEnvironment(query: Query, id: string): Promise<EnvironmentDetails | null> {
  const [row] = await query<Row>(
    `SELECT ${environmentColumns} FROM "Environment" e ${environmentJoins} WHERE e.id = $1`,
    [id],
  );
  return row === undefined ? null : details(row);
}

/** Notes that a key was used, at most once a minute (PLT-12). */
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

/** Topic under which a key's deletion is hinted, so that its sockets close. */
export const keyTopic = (apiKeyId: string): string => `key:${apiKeyId}`;
