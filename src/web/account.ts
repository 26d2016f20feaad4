import { QuittanceError, specificError } from '../domain/errors/errors.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { authPath, hasSessionCookie, type Person } from '../identity/auth.ts';
import { ownOrigins, passkeyPlace } from '../identity/passkeys.ts';
import { isProofFresh } from '../identity/proof.ts';
import { endResetLinks } from '../identity/prove-address.ts';
import { endSessionOf, noteProof } from '../identity/sessions.ts';
import { addressName, type RateLimits } from '../platform/rate-limit.ts';
import { takeUses } from '../platform/use-windows.ts';
import { RateLimitedError } from '../request/admission.ts';
import type { App } from '../request/context.ts';
import { type Body, emitted } from './account-answers.ts';
import { accountError, addressUnverified, foreignOrigin, lacksCsrfHeader } from './account-errors.ts';
import { type AccountInput, accountInput, accountInputs } from './account-inputs.ts';
import { admitAddressChange, admitReset, sendConfirmation, sendFirstConfirmation } from './account-mail.ts';

const json = { 'Content-Type': 'application/json' };

/**
 * Throws `forbidden` for requests from pages on other sites. Browsers send the `Origin` header with each POST request. API clients don't, but no
 * website can make them send another user's session cookie.
 */
function demandOwnOrigin({ method, headers }: HttpRequest, own: ReadonlySet<string>): void {
  const origin = headers.get('origin');
  const isForeignPage =
    origin === null && method !== 'GET' && /^(cross|same)-site$/.test(headers.get('sec-fetch-site') ?? '');
  if (isForeignPage || (origin !== null && !own.has(origin))) throw foreignOrigin([...own].join(' and '));
}

/** Returns the request to pass to the library. Contains the service's own origin, which was checked, and cookies only if the CSRF header was sent. */
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

/** Response to a request for a password reset link. Identical to the library's response, whether or not the account exists. */
const resetResponse = {
  status: true,
  message: 'If this email exists in our system, check your email for the reset link',
} as const;

const codePaths: ReadonlySet<string> = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

/** Storage period of used codes. Longer than a code's validity period. */
const codeMs = 120_000;

/** Paths that verify the password of the signed-in user. */
const proofPaths: ReadonlySet<string> = new Set([
  '/verify-password',
  '/two-factor/enable',
  '/two-factor/generate-backup-codes',
]);

/** Endpoint for passkey sign-in, and for a signed-in user's renewed proof of identity. */
const passkeyPath = '/passkey/verify-authentication';

/**
 * Records that a signed-in user confirmed their identity with a passkey. The library creates a new session each time.
 * This new session is ended, and the current session continues.
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
 * Stores the time of a successful proof of identity in the session. Sign-ins and password changes return a new session;
 * other proofs apply to the current session. A one-time code alone doesn't prove a signed-in user's identity.
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
 * Returns the signed-in user. Throws `unauthorized` if a session is required. Throws `forbidden` if the request adds a
 * credential to an account with an unverified address (PLT-111). Throws `reauthentication_required` if the last proof
 * of identity is too old.
 */
async function demandSession(
  { auth, wall }: App,
  sent: Request,
  { needs, addsCredential }: AccountInput,
): Promise<Person | null> {
  if (needs === undefined) return null;
  const person = await auth.personOf(sent.headers);
  if (person === null && needs.endsWith('IfSignedIn')) return null;
  if (person === null) throw specificError('unauthorized', 'not_signed_in');
  if (addsCredential === true && !person.isEmailVerified) throw addressUnverified();
  if (needs.startsWith('proof') && !isProofFresh(person.provenAt, wall.now()))
    throw new QuittanceError('reauthentication_required');
  return person;
}

/** Log messages for credential changes, by path. */
const changes: ReadonlyMap<string, string> = new Map([
  ['/two-factor/enable', 'one-time codes begun'],
  ['/two-factor/verify-totp', 'one-time codes confirmed'],
  ['/two-factor/generate-backup-codes', 'recovery codes replaced'],
  ['/two-factor/disable', 'one-time codes removed'],
  ['/passkey/verify-registration', 'passkey added'],
]);

/** Logs a change to an account's credentials. */
function noteChange({ log }: App, path: string, person: Person | null): void {
  const change = changes.get(path);
  if (change !== undefined && person !== null)
    log.info({ personId: person.id, change }, 'The ways into an account were changed.');
}

/**
 * Marks a one-time code as used. Each code is accepted once (RFC 6238, section 5.2), even for concurrent sign-ins. If the code was already used, the
 * new session is ended before its cookie is sent, and `validation_error` is thrown.
 */
async function takeCode(
  app: App,
  code: unknown,
  { token, user }: Body,
  person: Person | null,
): Promise<void> {
  const { database, wall } = app;
  const use = { name: `code ${String(user?.id)} ${String(code)}`, most: 1, windowMs: codeMs };
  if ((await takeUses(database, [use], wall.now())) === null) return;
  if (person === null) await endSessionOf(database.query, String(token));
  throw accountError(401, 'INVALID_CODE');
}

/**
 * Verifies an email address with a link. The first verification of an account requires a recent password check. Throws `validation_error` and
 * `reauthentication_required`.
 */
async function verifyEmail({ auth, wall }: App, token: string, person: Person): Promise<void> {
  if (!person.isEmailVerified && !isProofFresh(person.provenAt, wall.now()))
    throw new QuittanceError('reauthentication_required');
  if (!(await auth.takeAddressLink(person, token))) throw accountError(401, 'INVALID_TOKEN');
}

/**
 * Returns the routes for sign-up, sign-in, sign-out and sessions. Password attempts are limited per IP address. Paths are matched without their query
 * string, exactly as the library matches them.
 */
export function accountRoutes(app: App, limits: RateLimits): Route[] {
  const { origin } = new URL(app.config.publicUrl);
  const ownPages = ownOrigins(app.config.publicUrl);
  const hasPasskeys = passkeyPlace(app.config.publicUrl) !== null;

  async function takeAttempt(name: string): Promise<void> {
    const allowance = await limits.take(name, 'password');
    if (allowance.isExceeded) throw new RateLimitedError(allowance, 'account_window');
  }

  /** Handles requests that don't reach the library, and limits account emails. Returns `null` if the library must handle the request. */
  async function answerOwn(
    { remoteAddress }: HttpRequest,
    path: string,
    input: Record<string, unknown> | null,
    person: Person | null,
  ): Promise<object | null> {
    if (path === '/request-password-reset')
      return (await admitReset(app, String(input?.['email']), remoteAddress)) ? null : resetResponse;
    if (person === null) return null;
    if (path === '/change-email') await admitAddressChange(app, person, String(input?.['newEmail']));
    if (path === '/verify-email') await verifyEmail(app, String(input?.['token']), person);
    if (path === '/send-verification-email') await sendConfirmation(app, person);
    return path === '/verify-email' || path === '/send-verification-email' ? { status: true } : null;
  }

  async function answer(request: HttpRequest): Promise<Reply> {
    const path = request.path.slice(authPath.length);
    const route = accountInputs.get(`${request.method} ${path}`);
    if (route === undefined) throw specificError('not_found', 'account_address');
    if (path.startsWith('/passkey/') && !hasPasskeys) throw specificError('not_found', 'passkeys');
    if (route.isProof) await takeAttempt(addressName(request.remoteAddress));
    demandOwnOrigin(request, ownPages);
    const input = await accountInput(request, route, app.config.bodyLimitBytes);
    const sent = forLibrary(request, origin, route, input);
    const person = await demandSession(app, sent, route);
    const own = await answerOwn(request, path, input, person);
    if (own !== null) return jsonReply(200, own);
    const answered = await app.auth.handle(sent);
    const text = await answered.text();
    const body = text === '' ? null : (JSON.parse(text) as unknown);
    if (!answered.ok) throw accountError(answered.status, (body as { code?: unknown } | null)?.code);
    const emitting = body as Body | null;
    if (codePaths.has(path) && emitting !== null) await takeCode(app, input?.['code'], emitting, person);
    await noteProved(app, path, emitting, { sent, person });
    if (path === '/change-password') await endResetLinks(app.database, String(emitting?.user?.id));
    if (path === '/sign-up/email')
      void sendFirstConfirmation(app, String(input?.['email']), request.remoteAddress).catch(
        (error: unknown) => app.log.error({ err: error }, 'A new account was sent no link.'),
      );
    noteChange(app, path, person);
    return jsonReply(answered.status, emitted(path, emitting), {
      'Set-Cookie': path === passkeyPath && person !== null ? [] : answered.headers.getSetCookie(),
    });
  }

  return [{ path: `${authPath}/*`, answer }];
}
