import type { Query } from '../../platform/db/pool.ts';

/** A claim link as it is stored. */
export type StoredClaim = { readonly tokenHash: string; readonly expiresAt: Date };

/** Stores the one claim link of an organization without an owner, in place of the last one. Answers false for an organization that was claimed or has an owner. */
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

/** Whether a person owns the organization. */
export async function hasOwner(query: Query, organizationId: string): Promise<boolean> {
  const owners = await query(`SELECT 1 FROM "Member" WHERE "organizationId" = $1 AND role = 'owner'`, [
    organizationId,
  ]);
  return owners.length > 0;
}

/** The id and name of an organization, or of the oldest one where none is named; null when there is none. */
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
