import type { SignedInMember } from '../platform/credentials.ts';
import type { Query } from '../platform/db/pool.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';

// Single-use tickets for WebSocket authentication. Browsers send cookies with every socket, no matter which site opens it, so sockets don't accept
// cookies. Instead, an HTTP request with a CSRF header creates a ticket, and the page sends the ticket over its socket.

/** Validity period of a ticket, in milliseconds. */
const ticketMs = 60_000;

/** Purpose that is signed as part of each ticket, so that other signed tokens aren't accepted as tickets. */
const purpose = 'live';

/** Member with an active session in an environment. */
export type LiveMember = SignedInMember & { readonly environmentId: string };

export type LiveTicket = { readonly ticket: string; readonly expiresAt: Date };

/** Creates a single-use ticket for a member. The ticket expires after one minute; `expiresAt` is rounded down to a whole second. */
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

/** Redeems a ticket and returns its member. `null` if the ticket is invalid, expired, or already used. */
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
