import type { Query } from '../../../platform/db/pool.ts';

export type StoredClaim = { readonly tokenHash: string; readonly expiresAt: Date };

/**
 * Stores a claim link for an organization without an owner and replaces the previous link. Returns `false` if the organization was claimed
 * or has an owner.
 */
export async function storeClaim(
  query: Query,
  organizationId: string,
  { tokenHash, expiresAt }: StoredClaim,
  now: Date,
): Promise<boolean> {
  const stored = await query(
    `INSERT INTO "OrganizationClaim" ("organizationId", "tokenHash", "expiresAt", "createdAt")
     SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM "Member" WHERE "organizationId" = $1 AND role = 'owner')
     ON CONFLICT ("organizationId") DO UPDATE SET "tokenHash" = $2, "expiresAt" = $3 WHERE "OrganizationClaim"."claimedAt" IS NULL
     RETURNING 1`,
    [organizationId, tokenHash, expiresAt, now],
  );
  return stored.length === 1;
}

/** True if the organization has an owner. */
export async function hasOwner(query: Query, organizationId: string): Promise<boolean> {
  const owners = await query(`SELECT 1 FROM "Member" WHERE "organizationId" = $1 AND role = 'owner'`, [
    organizationId,
  ]);
  return owners.length > 0;
}

/** True if a customer in the environment was ever charged. */
export async function hasCharged(sql: Query): Promise<boolean> {
  const charged = await sql(
    `SELECT 1 FROM "Transaction" WHERE "environmentId" = $1 AND status IN ('succeeded', 'refunded', 'disputed') LIMIT 1`,
  );
  return charged.length > 0;
}

/**
 * Returns the ID and name of an organization, or of the oldest organization if `id` is `null`. Returns `null` if no organization is found.
 * Archived organizations are excluded.
 */
export async function findOrganization(
  query: Query,
  id: string | null,
): Promise<{ readonly id: string; readonly name: string } | null> {
  const [found] = await query<{ id: string; name: string }>(
    'SELECT id, name FROM "Organization" WHERE ($1::text IS NULL OR id = $1) AND "archivedAt" IS NULL ORDER BY "createdAt", id LIMIT 1',
    [id],
  );
  return found ?? null;
}
