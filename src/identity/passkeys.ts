import { isIP } from 'node:net';
import type { Query } from '../platform/db/pool.ts';

// Passkeys of people: where they work, and what is stored of them beside what the authentication library does with them.

/** The passkeys an account has at most. */
export const passkeyLimit = 20;

/** What passkeys are bound to: a host name, and the origin of the pages that use them. */
export type PasskeyPlace = { readonly hostName: string; readonly origin: string };

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/**
 * Where passkeys work, by the address clients reach the service at. Browsers accept no IP address, so a service on a loopback address is reached
 * by the name `localhost`; null for every other IP address.
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

/** The origins of our own pages: that of the address clients reach the service at, and `localhost` beside a loopback address. */
export const ownOrigins = (publicUrl: string): ReadonlySet<string> =>
  new Set([new URL(publicUrl).origin, passkeyPlace(publicUrl)?.origin ?? new URL(publicUrl).origin]);

/** A passkey as its person sees it. */
export type PasskeyDetails = {
  readonly id: string;
  readonly name: string;
  readonly deviceType: 'singleDevice' | 'multiDevice';
  readonly isBackedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

const columns = 'id, name, "deviceType", "backedUp" AS "isBackedUp", "createdAt", "lastUsedAt"';

/** The passkeys of a person, the one added first foremost. */
export const findPasskeys = (query: Query, personId: string): Promise<PasskeyDetails[]> =>
  query<PasskeyDetails>(`SELECT ${columns} FROM "Passkey" WHERE "userId" = $1 ORDER BY "createdAt", id`, [
    personId,
  ]);

/** Gives a passkey of a person another name. Answers null where the person has no such passkey. */
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

/** Removes a passkey of a person. Answers false where the person has no such passkey. */
export async function removePasskey(query: Query, personId: string, id: string): Promise<boolean> {
  const removed = await query('DELETE FROM "Passkey" WHERE "userId" = $1 AND id = $2 RETURNING 1', [
    personId,
    id,
  ]);
  return removed.length === 1;
}

/** A passkey that has just signed. */
type Use = {
  readonly credentialId: string;
  /** Whose it has to be; null for anybody's. */
  readonly personId: string | null;
  readonly isBackedUp: boolean;
};

/** Notes that a passkey was used. Answers false where it is gone, or is of another person. */
export async function notePasskeyUse(
  query: Query,
  { credentialId, personId, isBackedUp }: Use,
  now: Date,
): Promise<boolean> {
  const used = await query(
    `UPDATE "Passkey" SET "lastUsedAt" = $3, "backedUp" = $4
     WHERE "credentialId" = $1 AND ($2::text IS NULL OR "userId" = $2) RETURNING 1`,
    [credentialId, personId, now, isBackedUp],
  );
  return used.length === 1;
}
