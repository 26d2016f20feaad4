import type { Query } from '../platform/db/pool.ts';
import { hashSecret } from '../platform/secrets.ts';

// Functions for sessions that the authentication library doesn't provide.

/** Details of a session that its owner can see. */
export type SessionDetails = {
  readonly id: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
};

/** Returns a user's active sessions, most recently used first. */
export const findSessions = (query: Query, personId: string, now: Date): Promise<SessionDetails[]> =>
  query<SessionDetails>(
    `SELECT id, "userAgent", "createdAt", "updatedAt", "expiresAt" FROM "Session"
     WHERE "userId" = $1 AND "expiresAt" > $2 ORDER BY "updatedAt" DESC, id`,
    [personId, now],
  );

/** Ends a session. Returns false if the user doesn't have this session. */
export async function endSession(query: Query, personId: string, id: string): Promise<boolean> {
  const ended = await query('DELETE FROM "Session" WHERE "userId" = $1 AND id = $2 RETURNING 1', [
    personId,
    id,
  ]);
  return ended.length === 1;
}

/** Ends all sessions of a user except the given session. */
export async function endOtherSessions(query: Query, personId: string, id: string): Promise<void> {
  await query('DELETE FROM "Session" WHERE "userId" = $1 AND id <> $2', [personId, id]);
}

export async function endSessionOf(query: Query, token: string): Promise<void> {
  await query('DELETE FROM "Session" WHERE token = $1', [hashSecret(token)]);
}

/** Records an identity check in the session with the given ID or token. */
export async function noteProof(
  query: Query,
  session: { readonly id: string } | { readonly token: string },
  now: Date,
): Promise<void> {
  if ('id' in session) await query('UPDATE "Session" SET "provenAt" = $2 WHERE id = $1', [session.id, now]);
  else await query('UPDATE "Session" SET "provenAt" = $2 WHERE token = $1', [hashSecret(session.token), now]);
}
