import type { SignedInMember } from '../platform/credentials.ts';
import type { Query } from '../platform/db/pool.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';

// Tickets of sockets. A browser sends cookies with every socket it opens, whichever page asked for it, so that cookies count over HTTP only, beside a
// header; there a ticket is made, which the page then sends over its socket.

/** How long a ticket can be used. */
const ticketMs = 60_000;

/** What the signature of a ticket is made for, so that no other token passes for one. */
const purpose = 'live';

/** A member in one environment, by a session. */
export type LiveMember = SignedInMember & { readonly environmentId: string };

/** A ticket as its owner receives it. */
export type LiveTicket = { readonly ticket: string; readonly expiresAt: Date };

/** Makes a ticket for a member, good once and until a minute after `now`, cut to whole seconds. */
export async function createTicket(
  query: Query,
  secrets: Secrets,
  { environmentId, sessionId, memberId }: LiveMember,
  now: Date,
): Promise<LiveTicket> {
  const id = newId('ltk');
  const expiresAt = new Date(Math.floor((now.getTime() + ticketMs) / 1_000) * 1_000);
  await query(
    'INSERT INTO "LiveTicket" ("environmentId", id, "sessionId", "memberId", "expiresAt") VALUES ($1, $2, $3, $4, $5)',
    [environmentId, id, sessionId, memberId, expiresAt],
  );
  const details = { page: purpose, environmentId, subjectId: id };
  return { ticket: await secrets.signLink(details, expiresAt), expiresAt };
}

/** Uses a ticket up and answers whose it was; null for one that was used, has expired or was not signed here. */
export async function takeTicket(
  query: Query,
  secrets: Secrets,
  ticket: string,
  now: Date,
): Promise<LiveMember | null> {
  const details = await secrets.readLink(ticket, purpose, now);
  if (details === null || details === 'expired') return null;
  const { environmentId, subjectId } = details;
  const [used] = await query<SignedInMember>(
    'DELETE FROM "LiveTicket" WHERE "environmentId" = $1 AND id = $2 AND "expiresAt" > $3 RETURNING "sessionId", "memberId"',
    [environmentId, subjectId, now],
  );
  return used === undefined ? null : { environmentId, ...used };
}
