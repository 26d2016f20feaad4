import { RateLimitedError } from '../admission.ts';
import type { App } from '../context.ts';
import { QuittanceError, specificError } from '../domain/errors.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { authPath, hasSessionCookie, type Person } from '../identity/auth.ts';
import { ownOrigins, passkeyPlace } from '../identity/passkeys.ts';
import { isProofFresh } from '../identity/proof.ts';
import { endSessionOf, noteProof } from '../identity/sessions.ts';
import { addressName, type RateLimits } from '../platform/rate-limit.ts';
import { type Body, emitted } from './account-answers.ts';
import { accountError, foreignOrigin, lacksCsrfHeader } from './account-errors.ts';
import { type AccountInput, accountInput, accountInputs } from './account-inputs.ts';

const json = { 'Content-Type': 'application/json' };

/**
 * Throws `forbidden` for a request of a page of another site. Browsers name the origin of a page in each POST; what has none was sent by a program,
 * which has no cookies of anybody else.
 */
function demandOwnOrigin({ method, headers }: HttpRequest, own: ReadonlySet<string>): void {
  const origin = headers.get('origin');
  const isForeignPage =
    origin === null && method !== 'GET' && /^(cross|same)-site$/.test(headers.get('sec-fetch-site') ?? '');
  if (isForeignPage || (origin !== null && !own.has(origin))) throw foreignOrigin([...own].join(' and '));
}

/** The request the library gets: from our own origin, which was seen to, with its cookies only beside the header that makes them count. */
function forLibrary(
  { address, method, headers }: HttpRequest,
  origin: string,
  { usesSession, isQuery }: AccountInput,
  input: Record<string, unknown> | null,
): Request {
  const cookie = headers.get('cookie') ?? '';
  const counts = headers.get('x-quittance-csrf') !== null && headers.get('x-quittance-csrf') !== '';
  if (usesSession && !counts && hasSessionCookie(headers)) throw lacksCsrfHeader();
  const userAgent = headers.get('user-agent');
  const query = new URLSearchParams(
    Object.entries(input ?? {}).map(([name, value]) => [name, String(value)]),
  );
  return new Request(
    isQuery === true ? `${origin}${address.split('?')[0]}?${query}` : `${origin}${address}`,
    {
      method: isQuery === true ? 'GET' : method,
      headers: {
        ...json,
        origin,
        ...(counts ? { cookie } : {}),
        ...(userAgent === null ? {} : { 'user-agent': userAgent }),
      },
      ...(input === null || isQuery === true ? {} : { body: JSON.stringify(input) }),
    },
  );
}

/** How often a link for a forgotten password can be asked for one address is counted beside who asks. */
const resetPath = '/request-password-reset';

/** What proves the password in the session of the request. */
const proofPaths: ReadonlySet<string> = new Set([
  '/verify-password',
  '/two-factor/enable',
  '/two-factor/generate-backup-codes',
]);

/** The sign-in by a passkey, or the proof of somebody who has signed in. */
const passkeyPath = '/passkey/verify-authentication';

/**
 * Notes the proof of somebody who has signed in by a passkey. The library opens a session for each use of one, which is ended: the person goes on
 * in the session of the request.
 */
async function noteProvedByPasskey(
  { database, wall }: App,
  { session, user }: Body,
  person: Person,
): Promise<void> {
  if (user?.id !== person.id) throw new Error('A passkey of another person was accepted.');
  await endSessionOf(database.query, String(session?.token));
  await noteProof(database.query, { id: person.sessionId }, wall.now());
}

/**
 * Notes that a person was proved: by a sign-in or a change, whose answer names the session, or in the session of the request. A code that somebody
 * types who has signed in proves no password.
 */
async function noteProved(
  app: App,
  path: string,
  body: Body | null,
  { sent, person }: { readonly sent: Request; readonly person: Person | null },
): Promise<void> {
  const { auth, database, wall } = app;
  if (path === passkeyPath && body !== null) {
    if (person !== null) await noteProvedByPasskey(app, body, person);
    else await noteProof(database.query, { token: String(body.session?.token) }, wall.now());
  } else if (typeof body?.token === 'string') {
    const isCode = path.startsWith('/two-factor/') && person !== null;
    if (!isCode) await noteProof(database.query, { token: body.token }, wall.now());
  } else if (proofPaths.has(path)) {
    const prover = person ?? (await auth.personOf(sent.headers));
    if (prover !== null) await noteProof(database.query, { id: prover.sessionId }, wall.now());
  }
}

/**
 * Who has signed in. Throws `unauthorized` without a session where one is needed, and `reauthentication_required` for one that needs a proof and has
 * none of late.
 */
async function demandSession(
  { auth, wall }: App,
  sent: Request,
  needs: NonNullable<AccountInput['needs']>,
): Promise<Person | null> {
  const person = await auth.personOf(sent.headers);
  if (person === null && needs.endsWith('IfSignedIn')) return null;
  if (person === null) throw specificError('unauthorized', 'not_signed_in');
  if (needs.startsWith('proof') && !isProofFresh(person.provenAt, wall.now()))
    throw new QuittanceError('reauthentication_required');
  return person;
}

/** Changes of the ways into an account, as the log names them. */
const changes: ReadonlyMap<string, string> = new Map([
  ['/two-factor/enable', 'one-time codes begun'],
  ['/two-factor/verify-totp', 'one-time codes confirmed'],
  ['/two-factor/generate-backup-codes', 'recovery codes replaced'],
  ['/two-factor/disable', 'one-time codes removed'],
  ['/passkey/verify-registration', 'passkey added'],
]);

/** Notes in the log who changed the ways into an account. */
function noteChange({ log }: App, path: string, person: Person | null): void {
  const change = changes.get(path);
  if (change !== undefined && person !== null)
    log.info({ personId: person.id, change }, 'The ways into an account were changed.');
}

/**
 * Sign-up, sign-in, sign-out and the session, as the authentication library offers them. Whatever proves a password is counted by address;
 * addresses are compared as they are routed, without their query string.
 */
export function accountRoutes(app: App, limits: RateLimits): Route[] {
  const { origin } = new URL(app.config.publicUrl);
  const own = ownOrigins(app.config.publicUrl);
  const hasPasskeys = passkeyPlace(app.config.publicUrl) !== null;

  async function takeAttempt(name: string): Promise<void> {
    const allowance = await limits.take(name, 'password');
    if (allowance.isExceeded) throw new RateLimitedError(allowance, 'account_window');
  }

  async function answer(request: HttpRequest): Promise<Reply> {
    const path = request.path.slice(authPath.length);
    const route = accountInputs.get(`${request.method} ${path}`);
    if (route === undefined) throw specificError('not_found', 'account_address');
    if (path.startsWith('/passkey/') && !hasPasskeys) throw specificError('not_found', 'passkeys');
    if (route.isProof) await takeAttempt(addressName(request.remoteAddress));
    demandOwnOrigin(request, own);
    const input = await accountInput(request, route, app.config.bodyLimitBytes);
    if (path === resetPath) await takeAttempt(`reset:${String(input?.['email']).toLowerCase()}`);
    const sent = forLibrary(request, origin, route, input);
    const person = route.needs === undefined ? null : await demandSession(app, sent, route.needs);
    const answered = await app.auth.handle(sent);
    const text = await answered.text();
    const body = text === '' ? null : (JSON.parse(text) as unknown);
    if (!answered.ok) throw accountError(answered.status, (body as { code?: unknown } | null)?.code);
    await noteProved(app, path, body as Body | null, { sent, person });
    noteChange(app, path, person);
    return jsonReply(answered.status, emitted(path, body as Body | null), {
      'Set-Cookie': path === passkeyPath && person !== null ? [] : answered.headers.getSetCookie(),
    });
  }

  return [{ path: `${authPath}/*`, answer }];
}
