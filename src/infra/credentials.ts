import type { WritePart } from './bulk.ts';
import { textArray } from './column-arrays.ts';
import type { Query } from './db.ts';

/** What an API key or an environment id leads to. */
export type EnvironmentFacts = {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Where the organization sells from, upper-case ISO 3166-1 alpha-2; null when it has not said. */
  readonly organizationCountry: string | null;
  readonly livemode: boolean;
  readonly pinnedVersion: string | null;
  /** Whether the organization may tie offers to cards (OFR-38). */
  readonly cardPromotions: boolean;
  /** Where the sandbox's test clock stands; null in live mode and while it was never moved. */
  readonly simulatedTime: Date | null;
};

export type KeyFacts = {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
};

type Row = EnvironmentFacts & { mode: string };
type KeyRow = Row & { hash: string; stamp: string; apiKeyId: string; scopes: string[]; expiresAt: Date | null; lastUsedAt: Date | null };

const environmentColumns = `e.id, e."organizationId", o.name AS "organizationName", o.country AS "organizationCountry", e.mode, o."pinnedVersion", o."cardPromotions", c."simulatedTime"`;
const environmentJoins = `JOIN "Organization" o ON o.id = e."organizationId" LEFT JOIN "TestClock" c ON c."environmentId" = e.id`;

const facts = (row: Row): EnvironmentFacts => ({
  id: row.id,
  organizationId: row.organizationId,
  organizationName: row.organizationName,
  organizationCountry: row.organizationCountry,
  livemode: row.mode === 'live',
  pinnedVersion: row.pinnedVersion,
  cardPromotions: row.cardPromotions,
  simulatedTime: row.simulatedTime,
});

/** A key and the environment it leads to; `stamp` differs whenever anything of that but the key's last use does. */
export type FoundKey = { readonly key: KeyFacts; readonly environment: EnvironmentFacts; readonly stamp: string };

const keyJoins = `JOIN "ApiKey" k ON k."environmentId" = h."environmentId" AND k.id = h."apiKeyId"
     JOIN "Environment" e ON e.id = h."environmentId" ${environmentJoins}`;
const keyStamp = `concat_ws(' ', h.xmin, k.scopes, k."expiresAt", e.xmin, o.xmin, c.xmin)`;

/** What a request took its caller for, by what an earlier one found; and whether that was found to be so after it came. */
export type KeyBelief = { readonly hash: string; readonly stamp: string; isConfirmed: boolean };

/** The part of a statement that fails, with `division_by_zero` and the statement with it, where one of the keys leads elsewhere by now. */
export const keysPart = (beliefs: readonly KeyBelief[]): WritePart => ({
  name: 'callers',
  text: `SELECT 1 / (count(*) = $4)::integer AS callers FROM unnest($2::text[], $3::text[]) AS b(hash, stamp)
     CROSS JOIN LATERAL (SELECT ${keyStamp} AS stamp FROM "ApiKeyHash" h ${keyJoins} WHERE h.hash = b.hash OFFSET 0) found
     WHERE found.stamp = b.stamp`,
  params: [textArray(beliefs.map(({ hash }) => hash)), textArray(beliefs.map(({ stamp }) => stamp)), beliefs.length],
  answer: 'callers',
});

/** Finds the keys with these hashes, expired or not, and their environments, in the order asked; null for one that does not exist. One statement. */
export async function findKeys(query: Query, hashes: readonly string[]): Promise<(FoundKey | null)[]> {
  const rows = await query<KeyRow>(
    `SELECT h.hash, ${keyStamp} AS stamp, h."apiKeyId", k.scopes, k."expiresAt", k."lastUsedAt", ${environmentColumns}
     FROM "ApiKeyHash" h ${keyJoins}
     WHERE h.hash = ANY($1)`,
    [hashes],
  );
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash);
    if (row === undefined) return null;
    const key = { id: row.apiKeyId, scopes: row.scopes, expiresAt: row.expiresAt, lastUsedAt: row.lastUsedAt };
    return { key, environment: facts(row), stamp: row.stamp };
  });
}

export type MembershipFacts = {
  readonly memberId: string;
  readonly role: 'owner' | 'admin' | 'member';
  readonly environment: EnvironmentFacts;
};

/** A person's membership of the organization, or of the one joined first when none is named, with the environment of the mode; null when there is none. */
export async function findMembership(
  query: Query,
  userId: string,
  mode: 'live' | 'sandbox',
  organizationId: string | null,
): Promise<MembershipFacts | null> {
  const [row] = await query<Row & Pick<MembershipFacts, 'memberId' | 'role'>>(
    `SELECT m.id AS "memberId", m.role, ${environmentColumns}
     FROM "Member" m JOIN "Environment" e ON e."organizationId" = m."organizationId" AND e.mode = $2::"Mode" ${environmentJoins}
     WHERE m."userId" = $1 AND ($3::text IS NULL OR m."organizationId" = $3) ORDER BY m."createdAt", m.id LIMIT 1`,
    [userId, mode, organizationId],
  );
  return row === undefined ? null : { memberId: row.memberId, role: row.role, environment: facts(row) };
}

/** Finds an environment by its id; null when there is none. */
export async function findEnvironment(query: Query, id: string): Promise<EnvironmentFacts | null> {
  const [row] = await query<Row>(`SELECT ${environmentColumns} FROM "Environment" e ${environmentJoins} WHERE e.id = $1`, [id]);
  return row === undefined ? null : facts(row);
}

/** Notes that a key was used, at most once a minute (PLT-12). */
export async function touchKey(query: Query, environmentId: string, apiKeyId: string, now: Date): Promise<void> {
  await query(
    `UPDATE "ApiKey" SET "lastUsedAt" = $3 WHERE "environmentId" = $1 AND id = $2 AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= $4)`,
    [environmentId, apiKeyId, now, new Date(now.getTime() - 60_000)],
  );
}

/** Topic under which a key's deletion is hinted, so that its sockets close. */
export const keyTopic = (apiKeyId: string): string => `key:${apiKeyId}`;
