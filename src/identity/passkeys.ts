import { isIP } from 'node:net';
import type { Query } from '../platform/db/pool.ts';

// Storage of passkeys, and the host and origins that passkeys are created for.

/** Maximum number of passkeys per account. */
export const passkeyLimit = 20;

/** Relying party for passkeys: the host name, and the origin of the pages on this host. */
export type PasskeyPlace = { readonly hostName: string; readonly origin: string };

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/**
 * Returns the relying party for the service's public URL. Passkeys don't work with IP addresses, so loopback addresses are replaced with
 * `localhost`. `null` if the host is any other IP address.
 */
export function passkeyPlace(publicUrl: string): PasskeyPlace | null {
  const url = new URL(publicUrl);
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) {
    if (!isLoopback(address)) return null;
    url.hostname = 'localhost';
  }
  return { hostName: url.hostname, origin: url.origin };
}

/** Returns the origins of the service's own pages. If the public URL is a loopback address, these include `localhost`. */
export const ownOrigins = (publicUrl: string): ReadonlySet<string> =>
  new Set([new URL(publicUrl).origin, passkeyPlace(publicUrl)?.origin ?? new URL(publicUrl).origin]);

/** Details of a passkey that its owner can see. */
export type PasskeyDetails = {
  readonly id: string;
  readonly name: string;
  readonly deviceType: 'singleDevice' | 'multiDevice';
  readonly isBackedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

const columns = 'id, name, "deviceType", "backedUp" AS "isBackedUp", "createdAt", "lastUsedAt"';

/** Returns a user's passkeys, oldest first. */
export const findPasskeys = (query: Query, personId: string): Promise<PasskeyDetails[]> =>
  query<PasskeyDetails>(`SELECT ${columns} FROM "Passkey" WHERE "userId" = $1 ORDER BY "createdAt", id`, [
    personId,
  ]);

/** Renames a passkey. Returns `null` if the user doesn't have this passkey. */
export async function renamePasskey(
  query: Query,
  personId: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<PasskeyDetails | null> {
  const [renamed] = await query<PasskeyDetails>(
    `UPDATE "Passkey" SET name = $3 WHERE "userId" = $1 AND id = $2 RETURNING ${columns}`,
    [personId, id, name],
  );
  return renamed ?? null;
}

/** Deletes a passkey. Returns false if the user doesn't have this passkey. */
export async function removePasskey(query: Query, personId: string, id: string): Promise<boolean> {
  const removed = await query('DELETE FROM "Passkey" WHERE "userId" = $1 AND id = $2 RETURNING 1', [
    personId,
    id,
  ]);
  return removed.length === 1;
}

type Use = {
  readonly credentialId: string;
  /** User who must own the passkey. `null` accepts any owner. */
  readonly personId: string | null;
  readonly isBackedUp: boolean;
};

/**
 * Records the use of a passkey. Returns false if the passkey doesn't exist or belongs to another user, or if its
 * owner's email address isn't verified.
 */
export async function notePasskeyUse(
  query: Query,
  { credentialId, personId, isBackedUp }: Use,
  now: Date,
): Promise<boolean> {
  const used = await query(
    `UPDATE "Passkey" SET "lastUsedAt" = $3, "backedUp" = $4
     WHERE "credentialId" = $1 AND ($2::text IS NULL OR "userId" = $2)
       AND EXISTS (SELECT 1 FROM "Person" p WHERE p.id = "Passkey"."userId" AND p."emailVerified") RETURNING 1`,
    [credentialId, personId, now, isBackedUp],
  );
  return used.length === 1;
}
