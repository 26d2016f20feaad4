import { errors, jwtVerify, SignJWT } from 'jose';
import type { Database } from '../platform/db/pool.ts';
import type { Secrets } from '../platform/secrets.ts';
import { endResetLinks, proveAddress } from './prove-address.ts';

// Email verification links. The authentication library creates the links for address changes. All links are redeemed here, because the
// first verification must remove older credentials in the same transaction.

/** Validity period of an email verification link, in seconds. */
export const addressLinkS = 3_600;

type Parts = { readonly database: Database; readonly secrets: Secrets };

const keyOf = ({ sessionSecret }: Secrets): Uint8Array => new TextEncoder().encode(sessionSecret);

/** Creates the token of an email verification link, in the format of the authentication library. */
export const signAddressLink = (secrets: Secrets, email: string, now: Date): Promise<string> =>
  new SignJWT({ email: email.toLowerCase() })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + addressLinkS * 1_000))
    .sign(keyOf(secrets));

type LinkDetails = { readonly email: string; readonly updateTo: string | null };

/**
 * Verifies the token of an email verification link. Returns `null` if the signature or the content is invalid, or if the token has expired.
 */
async function readAddressLink(secrets: Secrets, token: string, now: Date): Promise<LinkDetails | null> {
  try {
    const { payload } = await jwtVerify(token, keyOf(secrets), {
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      currentDate: now,
    });
    const { email, updateTo, requestType } = payload;
    if (typeof email !== 'string') return null;
    if (updateTo === undefined) return requestType === undefined ? { email, updateTo: null } : null;
    return typeof updateTo === 'string' && requestType === 'change-email-verification'
      ? { email, updateTo }
      : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/**
 * Redeems a verification link for the signed-in user. Verifies the account's address or replaces it with the new
 * address, and invalidates all password reset links. Returns false if the link is invalid, expired, or issued for
 * another account or a previous address, or if another account uses the new address.
 */
export async function takeAddressLink(
  { database, secrets }: Parts,
  { id: personId, sessionId }: { readonly id: string; readonly sessionId: string },
  token: string,
  now: Date,
): Promise<boolean> {
  const link = await readAddressLink(secrets, token, now);
  if (link === null) return false;
  return database.transaction(async (transaction) => {
    const { query } = transaction;
    const own = await query('SELECT 1 FROM "Person" WHERE id = $1 AND email = $2 FOR UPDATE', [
      personId,
      link.email,
    ]);
    if (own.length === 0) return false;
    if (link.updateTo !== null) {
      const moved = await query(
        `UPDATE "Person" SET email = $2, "updatedAt" = $3
         WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM "Person" WHERE email = $2) RETURNING 1`,
        [personId, link.updateTo, now],
      );
      if (moved.length === 0) return false;
    }
    await endResetLinks(transaction, personId);
    await proveAddress(transaction, { personId, sessionId }, now);
    return true;
  });
}
