import type { Query, Transaction } from '../platform/db/pool.ts';
import { hashSecret } from '../platform/secrets.ts';

// First verification of an account's email address. Anyone can sign up with someone else's address and add credentials, so credentials from before
// the verification must be removed.

/** Account with a newly verified address, and the session that verified the address. */
export type Proved = {
  readonly personId: string;
  /** Session that remains active. If `null`, all sessions end. */
  readonly sessionId: string | null;
};

/** Prefix for the identifiers of password reset links, in the library and in the database. */
export const resetIdentifier = 'reset-password:';

/** Returns the stored identifier of a password reset link, with a hash instead of the token. */
export const storedResetIdentifier = (identifier: string): string =>
  `${resetIdentifier}${hashSecret(identifier)}`;

/** Deletes all password reset links that are older than the given link. If links are created concurrently, only the newest one remains. */
export async function endOlderResetLinks(query: Query, personId: string, token: string): Promise<void> {
  await query(
    `DELETE FROM "Verification" o USING "Verification" own
     WHERE own.identifier = $2 AND o.value = $1 AND starts_with(o.identifier, '${resetIdentifier}')
       AND (o."createdAt", o.id) < (own."createdAt", own.id)`,
    [personId, storedResetIdentifier(`${resetIdentifier}${token}`)],
  );
}

/** True if an account has this email address and the address isn't verified. */
export async function awaitsProof(query: Query, email: string): Promise<boolean> {
  const found = await query('SELECT 1 FROM "Person" WHERE email = $1 AND NOT "emailVerified"', [
    email.toLowerCase(),
  ]);
  return found.length > 0;
}

/** Deletes all password reset links of a user. */
export async function endResetLinks({ query }: Pick<Transaction, 'query'>, personId: string): Promise<void> {
  await query(
    `DELETE FROM "Verification" WHERE value = $1 AND starts_with(identifier, '${resetIdentifier}')`,
    [personId],
  );
}

/**
 * Marks an account's email address as verified. If this is the first verification, also deletes passkeys, one-time codes, recovery codes,
 * and other sessions, because anyone could have created them. Returns true for the first verification.
 */
export async function proveAddress(
  transaction: Pick<Transaction, 'query'>,
  { personId, sessionId }: Proved,
  now: Date,
): Promise<boolean> {
  const { query } = transaction;
  const first = await query(
    `UPDATE "Person" SET "emailVerified" = true, "twoFactorEnabled" = NULL, "updatedAt" = $2
     WHERE id = $1 AND NOT "emailVerified" RETURNING 1`,
    [personId, now],
  );
  if (first.length === 0) return false;
  await query('DELETE FROM "Passkey" WHERE "userId" = $1', [personId]);
  await query('DELETE FROM "SecondFactor" WHERE "userId" = $1', [personId]);
  await query('DELETE FROM "Session" WHERE "userId" = $1 AND ($2::text IS NULL OR id <> $2)', [
    personId,
    sessionId,
  ]);
  // Deletes password reset links, passkey challenges, and sign-ins that are waiting for a one-time code.
  await query('DELETE FROM "Verification" WHERE value = $1', [personId]);
  return true;
}
