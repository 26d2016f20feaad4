import { LRUCache } from 'lru-cache';
import { validationError } from '../domain/errors/errors.ts';
import { type LiveMember, takeTicket } from '../identity/live-tickets.ts';
import { prolongSession } from '../identity/portal-sessions.ts';
import { monotonicMs } from '../platform/clock.ts';
import { coalesced } from '../platform/coalesce.ts';
import {
  type FoundKey,
  findEnvironment,
  findKeys,
  findMembership,
  findSignedIn,
  touchKey,
} from '../platform/credentials.ts';
import { queryWithin } from '../platform/db/share.ts';
import { isTemporary } from '../platform/db/temporary.ts';
import { hashSecret } from '../platform/secrets.ts';
import { type App, type RequestContext, unauthorized } from './context.ts';
import { keyCaller } from './key-caller.ts';

// Caller authentication by API key, page token, session or ticket.

type KeyFinder = (hash: string) => Promise<FoundKey | null>;

const keyFinders = new WeakMap<App, KeyFinder>();

/**
 * Returns an app's API key lookup. Concurrent lookups share one SQL statement, which limits the database load. Results
 * aren't cached, so a deleted key is rejected on the next request.
 */
function keyFinder(app: App): KeyFinder {
  const known = keyFinders.get(app);
  if (known !== undefined) return known;
  const made = coalesced<string, FoundKey | null>((hashes) => findKeys(app.database, hashes));
  keyFinders.set(app, made);
  return made;
}

/** API key with the time at which it was found, in milliseconds of the monotonic clock. */
type KnownKey = { readonly found: FoundKey; readonly at: number };

/** API keys that this process found recently, by hash. */
const knownKeys = new WeakMap<App, LRUCache<string, KnownKey>>();
const maxKnownKeys = 1_000;

/** Time in milliseconds for which a key remains authenticated while its server is unavailable. */
const outlivesMs = 60_000;

const knownBy = (app: App): LRUCache<string, KnownKey> =>
  knownKeys.getOrInsertComputed(app, () => new LRUCache({ max: maxKnownKeys }));

/**
 * Finds an API key by its hash. While the server with the key's environment is unavailable, returns a key that was found in the last minute, so
 * that the client gets the error of its operation. A deleted key isn't returned, because the coordinator has the list of hashes.
 */
async function findKey(app: App, hash: string): Promise<FoundKey | null> {
  const known = knownBy(app);
  try {
    const found = await keyFinder(app)(hash);
    if (found !== null) known.set(hash, { found, at: monotonicMs() });
    return found;
  } catch (error) {
    const last = known.get(hash);
    if (last === undefined || !isTemporary(error) || monotonicMs() - last.at > outlivesMs) throw error;
    return last.found;
  }
}

const isExpired = ({ key: { expiresAt } }: FoundKey, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/** True if the recorded last use of a key is at least one minute old. The use of a key is recorded at most once per minute (PLT-12). */
const isNoteDue = ({ key: { lastUsedAt } }: FoundKey, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= 60_000;

const becomeKey = (ctx: RequestContext, { key, environment }: FoundKey): void =>
  ctx.become(keyCaller(key), environment);

/** Authenticates an API key by its secret. Throws `unauthorized` if the key is unknown, deleted or expired. */
async function authenticateKey(ctx: RequestContext, secret: string, hash: string): Promise<void> {
  const { app, wall } = ctx;
  const found = secret.startsWith('ck_') ? await findKey(app, hash) : null;
  const now = wall.now();
  if (found === null || isExpired(found, now)) {
    knownBy(app).delete(hash);
    throw unauthorized();
  }
  becomeKey(ctx, found);
  if (!isNoteDue(found, now)) return;
  // The request doesn't wait for this write, and succeeds even if the write fails.
  touchKey(queryWithin(app.database, found.environment.id), found.environment.id, found.key.id, now).catch(
    (error: unknown) => ctx.log.warn({ error }, 'The use of a key could not be noted.'),
  );
}

/** True if this process recently authenticated the API key with this hash. The key may have been deleted since then. */
export const isKnownKey = (app: App, hash: string | null): boolean => hash !== null && knownBy(app).has(hash);

/**
 * Authenticates a page token. Each use of a portal token extends its session (PLT-30). Throws `unauthorized` if the token is invalid or the session
 * has ended.
 */
export async function authenticatePage(ctx: RequestContext, token: string): Promise<void> {
  const { database } = ctx.app;
  const details = await ctx.app.secrets.readPage(token);
  const environment =
    details === null ? null : await findEnvironment(ctx.app.database, details.environmentId);
  if (details === null || environment === null) throw unauthorized();
  if (
    details.page === 'portal' &&
    !(await prolongSession(
      queryWithin(database, environment.id),
      environment.id,
      details.subjectId,
      ctx.wall.now(),
    ))
  )
    throw unauthorized();
  ctx.become({ kind: 'page', page: details.page, subjectId: details.subjectId, token }, environment);
}

/** Authenticates a member by session, with the member's current role. Throws `unauthorized` if the session or the membership has ended. */
export async function authenticateMember(ctx: RequestContext, member: LiveMember): Promise<void> {
  const { environmentId, sessionId } = member;
  const found = await findSignedIn(ctx.app.database, member, environmentId, ctx.wall.now());
  if (found === null) throw unauthorized();
  const { memberId, role, personId: id, email, name, isEmailVerified, provenAt, environment } = found;
  ctx.become(
    { kind: 'member', person: { id, email, name, isEmailVerified, sessionId, provenAt }, memberId, role },
    environment,
  );
}

/** Redeems a single-use ticket created by `liveTicketCreate` and authenticates its member. Throws `unauthorized` if the ticket is invalid. */
export async function authenticateTicket(ctx: RequestContext, ticket: string): Promise<LiveMember> {
  const { app, wall } = ctx;
  const member = await takeTicket(app.database.query, app.secrets, ticket, wall.now());
  if (member === null) throw unauthorized();
  await authenticateMember(ctx, member);
  return member;
}

/** Credentials of a request. `null` and empty strings are treated as missing. */
export type Credentials = {
  readonly key: string | null;
  readonly token: string | null;
  /** Request headers that contain the session cookie. `null` if cookies aren't accepted. */
  readonly session?: Headers | null;
};

/** Headers of a request. `get` expects a lowercase header name. */
export type RequestHeaders = { readonly get: (name: string) => string | null; readonly all: () => Headers };

/**
 * Reads the credentials from HTTP headers: the API key, the page token and the session cookie. Cookies are ignored without the `x-quittance-csrf`
 * header, which other sites can't send. An API key takes precedence; a page token sent with an API key applies only to operations for hosted pages.
 */
export function credentialsOf(headers: RequestHeaders): Credentials {
  const key = headers.get('x-api-key');
  const [, token = null] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (key) return { key, token };
  return { key, token, session: headers.get('x-quittance-csrf') ? headers.all() : null };
}

/**
 * Authenticates a member by session cookie. `x-organization` defaults to the organization that the user joined first,
 * and `x-environment` to `sandbox`. A user without an organization gets no environment. Throws `unauthorized` if the
 * user isn't a member of the organization. Throws `validation_error` for an invalid `x-environment`.
 */
async function authenticateSession(ctx: RequestContext, headers: Headers): Promise<void> {
  const person = await ctx.app.auth.personOf(headers);
  if (person === null) return;
  const mode = headers.get('x-environment') ?? 'sandbox';
  if (mode !== 'live' && mode !== 'sandbox')
    throw validationError([{ field: 'x-environment', message: 'x-environment: must be live or sandbox.' }]);
  const organizationId = headers.get('x-organization');
  const found = await findMembership(ctx.app.database, person.id, mode, organizationId);
  if (found !== null)
    ctx.become({ kind: 'member', person, memberId: found.memberId, role: found.role }, found.environment);
  else if (organizationId === null) ctx.becomePerson(person);
  else throw unauthorized();
}

/**
 * Authenticates the caller by API key, page token or session, in this order. Without credentials, the caller stays anonymous. A page token sent with
 * an API key is stored for hosted page operations. `keyHash` is the hash of the API key, if it's already known. Throws `unauthorized` for invalid
 * credentials.
 */
export async function authenticate(
  ctx: RequestContext,
  { key, token, session }: Credentials,
  keyHash?: string | null,
): Promise<void> {
  if (key) {
    ctx.bearer = token;
    return authenticateKey(ctx, key, keyHash ?? hashSecret(key));
  }
  if (token) return authenticatePage(ctx, token);
  if (session) return authenticateSession(ctx, session);
}
