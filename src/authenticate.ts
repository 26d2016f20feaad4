import { LRUCache } from 'lru-cache';
import { type App, type RequestContext, unauthorized } from './context.ts';
import { validationError } from './domain/errors.ts';
import { type LiveMember, takeTicket } from './identity/live-tickets.ts';
import { prolongSession } from './identity/portal-sessions.ts';
import { coalesced } from './platform/coalesce.ts';
import {
  type FoundKey,
  findEnvironment,
  findKeys,
  findMembership,
  findSignedIn,
  touchKey,
} from './platform/credentials.ts';
import { hashSecret } from './platform/secrets.ts';

// How a request's credentials become its caller.

type KeyFinder = (hash: string) => Promise<FoundKey | null>;

const keyFinders = new WeakMap<App, KeyFinder>();

/**
 * Finds a key by its hash. Requests that come side by side are looked up together, each after it came: so the load of a busy process costs few
 * statements, and yet a key that was deleted is rejected from the next request on.
 */
function keyFinder(app: App): KeyFinder {
  const known = keyFinders.get(app);
  if (known !== undefined) return known;
  const made = coalesced<string, FoundKey | null>((hashes) => findKeys(app.database, hashes));
  keyFinders.set(app, made);
  return made;
}

/** The hashes of keys each process found lately, the last ones. */
const knownKeys = new WeakMap<App, LRUCache<string, true>>();
const maxKnownKeys = 1_000;

const knownBy = (app: App): LRUCache<string, true> =>
  knownKeys.getOrInsertComputed(app, () => new LRUCache({ max: maxKnownKeys }));

const isExpired = ({ key: { expiresAt } }: FoundKey, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/** Whether the use of a key is to be noted, which is done at most once a minute (PLT-12). */
const isNoteDue = ({ key: { lastUsedAt } }: FoundKey, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= 60_000;

const becomeKey = (ctx: RequestContext, { key, environment }: FoundKey): void =>
  ctx.become({ kind: 'key', apiKeyId: key.id, scopes: key.scopes }, environment);

/** Settles the caller by the secret of an API key. Throws `unauthorized` for one that is unknown, deleted or expired. */
async function authenticateKey(ctx: RequestContext, secret: string): Promise<void> {
  const { app, wall } = ctx;
  const hash = hashSecret(secret);
  const found = secret.startsWith('ck_') ? await keyFinder(app)(hash) : null;
  const now = wall.now();
  if (found === null || isExpired(found, now)) {
    knownBy(app).delete(hash);
    throw unauthorized();
  }
  becomeKey(ctx, found);
  knownBy(app).set(hash, true);
  if (!isNoteDue(found, now)) return;
  // The answer does not wait for this note, and does not fail with it.
  touchKey(app.database.query, found.environment.id, found.key.id, now).catch((error: unknown) =>
    ctx.log.warn({ error }, 'The use of a key could not be noted.'),
  );
}

/** Whether this process found the key shortly before. It may have been deleted since. */
export const isKnownKey = (app: App, secret: string | null): boolean =>
  secret !== null && knownBy(app).has(hashSecret(secret));

/**
 * Settles the caller by a page token; that of a portal session prolongs it (PLT-30). Throws `unauthorized` for a token that was not signed
 * here, and for a session that has ended.
 */
export async function authenticatePage(ctx: RequestContext, token: string): Promise<void> {
  const { query } = ctx.app.database;
  const details = await ctx.app.secrets.readPage(token);
  const environment =
    details === null ? null : await findEnvironment(ctx.app.database, details.environmentId);
  if (details === null || environment === null) throw unauthorized();
  if (
    details.page === 'portal' &&
    !(await prolongSession(query, environment.id, details.subjectId, ctx.wall.now()))
  )
    throw unauthorized();
  ctx.become({ kind: 'page', page: details.page, subjectId: details.subjectId, token }, environment);
}

/** Settles the caller as a member by a session, with the role that is so now. Throws `unauthorized` when the session or the membership has ended. */
export async function authenticateMember(ctx: RequestContext, member: LiveMember): Promise<void> {
  const { environmentId, sessionId } = member;
  const found = await findSignedIn(ctx.app.database, member, environmentId, ctx.wall.now());
  if (found === null) throw unauthorized();
  const { memberId, role, personId: id, email, name, provenAt, environment } = found;
  ctx.become(
    { kind: 'member', person: { id, email, name, sessionId, provenAt }, memberId, role },
    environment,
  );
}

/** Settles the caller by a ticket of `liveTicketCreate`, which is used up, and answers who it is. Throws `unauthorized` for one that is not good. */
export async function authenticateTicket(ctx: RequestContext, ticket: string): Promise<LiveMember> {
  const { app, wall } = ctx;
  const member = await takeTicket(app.database.query, app.secrets, ticket, wall.now());
  if (member === null) throw unauthorized();
  await authenticateMember(ctx, member);
  return member;
}

/** What a request brings to say who asks; null or empty is as good as absent. */
export type Credentials = {
  readonly key: string | null;
  readonly token: string | null;
  /** Headers with the cookies of a session that may be used. */
  readonly session?: Headers | null;
};

/** The headers of a request: one by its lower-case name, or all of them. */
export type RequestHeaders = { readonly get: (name: string) => string | null; readonly all: () => Headers };

/**
 * The credentials among HTTP headers: `x-api-key`, a page token as Bearer, and cookies beside the header `x-quittance-csrf`, which no other
 * site can make a browser send. Cookies without it count as absent.
 * A key goes before everything else; a page token beside it counts for operations of pages only.
 */
export function credentialsOf(headers: RequestHeaders): Credentials {
  const key = headers.get('x-api-key');
  const [, token = null] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (key) return { key, token };
  return { key, token, session: headers.get('x-quittance-csrf') ? headers.all() : null };
}

/**
 * Settles the caller by the session of its cookies: a member of the organization named by `x-organization`, or of the one joined first,
 * in the environment named by `x-environment`, `sandbox` by default. A person without any organization has no environment.
 * Throws `unauthorized` for an organization the person does not belong to, `validation_error` for another environment.
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
 * Settles the caller by its key, else by its page token, else by its session; without any of them the context stays nobody's. A page token
 * beside a key is kept for operations of pages.
 * Throws `unauthorized` for one that is no good.
 */
export async function authenticate(ctx: RequestContext, { key, token, session }: Credentials): Promise<void> {
  if (key) {
    await authenticateKey(ctx, key);
    ctx.bearer = token;
  } else if (token) await authenticatePage(ctx, token);
  else if (session) await authenticateSession(ctx, session);
}
