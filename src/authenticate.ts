import { type App, type Caller, type RequestContext, unauthorized } from './context.ts';
import { validationError } from './domain/errors.ts';
import { type FoundKey, findEnvironment, findKeys, findMembership, type KeyBelief, touchKey } from './infra/credentials.ts';
import { gathered } from './infra/gather.ts';
import { keepLast } from './infra/keep-last.ts';
import { isSessionOpen, useSession } from './infra/portal-sessions.ts';
import { hashSecret } from './infra/secrets.ts';

// How a request's credentials become its caller.

type KeyFinder = (hash: string) => Promise<FoundKey | null>;

const keyFinders = new WeakMap<App, KeyFinder>();

/**
 * Finds a key by its hash. Requests that come side by side are looked up together, each after it came: so the load of a busy process costs few
 * statements, and yet a key that was deleted is refused from the next request on.
 */
function keyFinder(app: App): KeyFinder {
  const known = keyFinders.get(app);
  if (known !== undefined) return known;
  const made = gathered<string, FoundKey | null>((hashes) => findKeys(app.database.query, hashes));
  keyFinders.set(app, made);
  return made;
}

/** Keys as each process found them last, by hash. */
const keptKeys = new WeakMap<App, Map<string, FoundKey>>();
const maxKeptKeys = 1_000;

const keptBy = (app: App): Map<string, FoundKey> => keptKeys.getOrInsertComputed(app, () => new Map());

const isExpired = ({ key: { expiresAt } }: FoundKey, now: Date): boolean => expiresAt !== null && expiresAt <= now;

/** Whether the use of a key is to be noted, which is done at most once a minute (PLT-12). */
const isNoteDue = ({ key: { lastUsedAt } }: FoundKey, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= 60_000;

const becomeKey = (context: RequestContext, { key, environment }: FoundKey): void =>
  context.become({ kind: 'key', apiKeyId: key.id, scopes: key.scopes }, environment);

/** Settles the caller by the secret of an API key. Throws `unauthorized` for one that is unknown, deleted or expired. */
async function authenticateKey(context: RequestContext, secret: string): Promise<void> {
  const { app, wall, log } = context;
  const hash = hashSecret(secret);
  const found = secret.startsWith('ck_') ? await keyFinder(app)(hash) : null;
  const now = wall.now();
  keptBy(app).delete(hash);
  if (found === null || isExpired(found, now)) throw unauthorized();
  becomeKey(context, found);
  // It is kept until the next note of its use is due, which a look goes before.
  if (!isNoteDue(found, now)) return keepLast(keptBy(app), hash, found, maxKeptKeys);
  // The answer does not wait for this note, and does not fail with it.
  touchKey(app.database.query, found.environment.id, found.key.id, now).catch((error: unknown) =>
    log.warn({ error }, 'The use of a key could not be noted.'),
  );
}

/**
 * Takes the caller for whom its key was found to stand for last, for an operation that confirms that in the transaction it writes in, or asks
 * `isConfirmed`. False where the key must be looked up.
 */
export function believeKey(context: RequestContext, secret: string | null): boolean {
  if (!secret) return false;
  const hash = hashSecret(secret);
  const found = keptBy(context.app).get(hash);
  const now = context.wall.now();
  if (found === undefined || isExpired(found, now) || isNoteDue(found, now)) return false;
  becomeKey(context, found);
  context.belief = { hash, stamp: found.stamp, isConfirmed: false };
  return true;
}

/** Whether a caller is whom it was taken for, looked up unless that was done already. */
export async function isConfirmed(app: App, belief: KeyBelief): Promise<boolean> {
  if (!belief.isConfirmed) belief.isConfirmed = (await keyFinder(app)(belief.hash))?.stamp === belief.stamp;
  return belief.isConfirmed;
}

/**
 * Looks again who asks, for an operation that outlives its request: false for a key deleted or expired meanwhile, or a portal session that has
 * ended, which looking does not prolong. Otherwise the environment is as it stands now, and what was kept by `once` is forgotten, so that batched loaders read again.
 */
export async function renewCaller(context: RequestContext): Promise<boolean> {
  const { caller } = context;
  if (caller.kind === 'system') return true;
  if (caller.kind === 'key') {
    const key = await context.db.apiKey.findFirst({ where: { id: caller.apiKeyId } });
    if (key === null || (key.expiresAt !== null && key.expiresAt <= context.wall.now())) return false;
  }
  const { query } = context.app.database;
  if (caller.kind === 'member') return renewMember(context, caller);
  if (caller.kind === 'page' && caller.page === 'portal') {
    if (!(await isSessionOpen(query, context.environment.id, caller.subjectId, context.wall.now()))) return false;
  }
  const environment = await findEnvironment(query, context.environment.id);
  if (environment === null) return false;
  context.become(caller, environment);
  return true;
}

/** The same for a member: false for one who was removed. The role is as it stands now; a sign-out ends with the request that follows it. */
async function renewMember(context: RequestContext, caller: Extract<Caller, { kind: 'member' }>): Promise<boolean> {
  const { organizationId, livemode } = context.environment;
  const found = await findMembership(context.app.database.query, caller.person.id, livemode ? 'live' : 'sandbox', organizationId);
  if (found === null || found.memberId !== caller.memberId) return false;
  context.become({ ...caller, role: found.role }, found.environment);
  return true;
}

/**
 * Settles the caller by a page token; that of a portal session prolongs it (PLT-30). Throws `unauthorized` for a token that was not signed
 * here, and for a session that has ended.
 */
export async function authenticatePage(context: RequestContext, token: string): Promise<void> {
  const { query } = context.app.database;
  const facts = await context.app.secrets.readPage(token);
  const environment = facts === null ? null : await findEnvironment(query, facts.environmentId);
  if (facts === null || environment === null) throw unauthorized();
  if (facts.page === 'portal' && !(await useSession(query, environment.id, facts.subjectId, context.wall.now()))) throw unauthorized();
  context.become({ kind: 'page', page: facts.page, subjectId: facts.subjectId, token }, environment);
}

/** What a request brings to say who asks; null or empty is as good as absent (protocols C9). */
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
 * site can make a browser send. Cookies without it count as absent (protocols C7). A key alone decides, so that nothing else is looked at then.
 */
export function credentialsOf(headers: RequestHeaders): Credentials {
  const key = headers.get('x-api-key');
  if (key) return { key, token: null };
  const [, token = null] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return { key, token, session: headers.get('x-quittance-csrf') ? headers.all() : null };
}

/**
 * Settles the caller by the session its cookies stand for: a member of the organization named by `x-organization`, or of the one joined first,
 * in the environment named by `x-environment`, `sandbox` unless told. A person without any organization has no environment.
 * Throws `unauthorized` for an organization the person does not belong to, `validation_error` for another environment.
 */
async function authenticateSession(context: RequestContext, headers: Headers): Promise<void> {
  const person = await context.app.auth.personOf(headers);
  if (person === null) return;
  const mode = headers.get('x-environment') ?? 'sandbox';
  if (mode !== 'live' && mode !== 'sandbox')
    throw validationError([{ field: 'x-environment', message: 'x-environment: must be live or sandbox.' }]);
  const organizationId = headers.get('x-organization');
  const found = await findMembership(context.app.database.query, person.id, mode, organizationId);
  if (found !== null) context.become({ kind: 'member', person, memberId: found.memberId, role: found.role }, found.environment);
  else if (organizationId === null) context.becomePerson(person);
  else throw unauthorized();
}

/**
 * Settles the caller by its key, else by its page token, else by its session; without any of them the context stays nobody's.
 * Throws `unauthorized` for one that is no good.
 */
export async function authenticate(context: RequestContext, { key, token, session }: Credentials): Promise<void> {
  if (key) await authenticateKey(context, key);
  else if (token) await authenticatePage(context, token);
  else if (session) await authenticateSession(context, session);
}
