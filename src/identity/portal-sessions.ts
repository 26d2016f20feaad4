import { portalSessionEnd } from '../domain/pages/portal-session.ts';
import { answersByEnvironment, type Reader } from '../platform/db/distribution.ts';
import type { Query } from '../platform/db/pool.ts';

type SessionTimes = { readonly createdAt: Date; readonly lastUsedAt: Date };

/** Minimum time in milliseconds between two recorded uses of a session. */
const noteEveryMs = 60_000;

/** Returns the times of a valid session. `null` if the session has ended or doesn't exist. */
async function findOpen(
  query: Query,
  environmentId: string,
  id: string,
  now: Date,
): Promise<SessionTimes | null> {
  const [session] = await query<SessionTimes>(
    'SELECT "createdAt", "lastUsedAt" FROM "PortalSession" WHERE "environmentId" = $1 AND id = $2',
    [environmentId, id],
  );
  return session === undefined || portalSessionEnd(session) <= now ? null : session;
}

export type SessionReference = { readonly environmentId: string; readonly id: string };

/**
 * Returns whether each portal session is still valid, in real time. Doesn't extend the sessions. Uses a single SQL
 * statement unless the database is distributed. In a distributed database, each result is a separate promise.
 */
export async function findOpenSessions(
  database: Reader,
  sessions: readonly SessionReference[],
  now: Date,
): Promise<(boolean | Promise<boolean>)[]> {
  type Found = SessionTimes & { readonly id: string };
  const isOpen = (rows: readonly Found[], { id }: SessionReference): boolean =>
    rows.some((session) => session.id === id && portalSessionEnd(session) > now);
  if (await database.isDistributed())
    return answersByEnvironment(
      database,
      sessions,
      (within, environmentId, own) =>
        within<Found>(
          'SELECT id, "createdAt", "lastUsedAt" FROM "PortalSession" WHERE "environmentId" = $1 AND id = ANY($2)',
          [environmentId, own.map(({ id }) => id)],
        ),
      isOpen,
    );
  const rows = await database.query<Found>(
    `SELECT s.id, s."createdAt", s."lastUsedAt" FROM unnest($1::text[], $2::text[]) AS w("environmentId", id)
     JOIN "PortalSession" s ON s."environmentId" = w."environmentId" AND s.id = w.id`,
    [sessions.map(({ environmentId }) => environmentId), sessions.map(({ id }) => id)],
  );
  const open = new Set(rows.filter((session) => portalSessionEnd(session) > now).map(({ id }) => id));
  return sessions.map(({ id }) => open.has(id));
}

/** Records the use of a portal session, which extends it, at most once per minute (PLT-30). Returns false if the session has ended. */
export async function prolongSession(
  query: Query,
  environmentId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const session = await findOpen(query, environmentId, id, now);
  if (session === null) return false;
  const noteBefore = new Date(now.getTime() - noteEveryMs);
  if (session.lastUsedAt <= noteBefore) {
    await query(
      'UPDATE "PortalSession" SET "lastUsedAt" = $3 WHERE "environmentId" = $1 AND id = $2 AND "lastUsedAt" <= $4',
      [environmentId, id, now, noteBefore],
    );
  }
  return true;
}
