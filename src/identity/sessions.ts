import type { Query } from '../platform/db/pool.ts';
import { hashSecret } from '../platform/secrets.ts';

// The sessions of a person, beside what the authentication library does with them.

/** A session as its person sees it. */
export type SessionDetails = {
  readonly id: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
};

/** The sessions of a person that have not expired at `now`, the one used last first. */
export const findSessions = (query: Query, personId: string, now: Date): Promise<SessionDetails[]> =>
  query<SessionDetails>(
    `SELECT id, "userAgent", "createdAt", "updatedAt", "expiresAt" FROM "Session"
     WHERE "userId" = $1 AND "expiresAt" > $2 ORDER BY "updatedAt" DESC, id`,
    [personId, now],
  );

/** Ends one session of a person. Answers false where the person has no such session. */
export async function endSession(query: Query, personId: string, id: string): Promise<boolean> {
  const ended = await query('DELETE FROM "Session" WHERE "userId" = $1 AND id = $2 RETURNING 1', [
    personId,
    id,
  ]);
  return ended.length === 1;
}

/** Ends every session of a person but one. */
export async function endOtherSessions(query: Query, personId: string, id: string): Promise<void> {
  await query('DELETE FROM "Session" WHERE "userId" = $1 AND id <> $2', [personId, id]);
}

/** Ends the session with this token. */
export async function endSessionOf(query: Query, token: string): Promise<void> {
  await query('DELETE FROM "Session" WHERE token = $1', [hashSecret(token)]);
}

/** Notes that the person was proved in a session, which is named by its id or by its token. */
export async function noteProof(
  query: Query,
  session: { readonly id: string } | { readonly token: string },
  now: Date,
): Promise<void> {
  if ('id' in session) await query('UPDATE "Session" SET "provenAt" = $2 WHERE id = $1', [session.id, now]);
  else await query('UPDATE "Session" SET "provenAt" = $2 WHERE token = $1', [hashSecret(session.token), now]);
}
