import { portalSessionEnd } from '../domain/portal-session.ts';
import { type Reader, readByEnvironment } from '../platform/db/distribution.ts';
import type { Query } from '../platform/db/pool.ts';

type SessionTimes = { readonly createdAt: Date; readonly lastUsedAt: Date };

/** How far the noted use of a session may lie behind the last one. */
const noteEveryMs = 60_000;

/** The times of a session that lives at `now`; null for one that has ended or never was. One statement. */
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

/** A portal session of an environment. */
export type SessionReference = { readonly environmentId: string; readonly id: string };

/** Whether each of these portal sessions lives at `now`, an instant of the machine's clock. Prolongs none. One statement on one server. */
export async function findOpenSessions(
  { query, isDistributed }: Reader,
  sessions: readonly SessionReference[],
  now: Date,
): Promise<boolean[]> {
  type Found = SessionTimes & { readonly id: string };
  const rows = (await isDistributed())
    ? await readByEnvironment(sessions, (environmentId, own) =>
        query<Found>(
          'SELECT id, "createdAt", "lastUsedAt" FROM "PortalSession" WHERE "environmentId" = $1 AND id = ANY($2)',
          [environmentId, own.map(({ id }) => id)],
        ),
      )
    : await query<Found>(
        `SELECT s.id, s."createdAt", s."lastUsedAt" FROM unnest($1::text[], $2::text[]) AS w("environmentId", id)
     JOIN "PortalSession" s ON s."environmentId" = w."environmentId" AND s.id = w.id`,
        [sessions.map(({ environmentId }) => environmentId), sessions.map(({ id }) => id)],
      );
  const open = new Set(rows.filter((session) => portalSessionEnd(session) > now).map(({ id }) => id));
  return sessions.map(({ id }) => open.has(id));
}

/** Uses a portal session: false when it has ended. The use is noted at most once a minute, and prolongs the session (PLT-30). */
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
