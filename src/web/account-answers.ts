/** What the authentication library answers to a success, as far as it is read here. */
export type Body = {
  readonly token?: unknown;
  readonly session?: { readonly token?: unknown } | null;
  readonly user?: { readonly id?: unknown; readonly name?: unknown; readonly email?: unknown };
};

/** The members of an answer that are public; others the library may add one day stay here. */
const only =
  (...names: readonly string[]) =>
  (body: object): object =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

const answered = only('challenge', 'timeout', 'rpId', 'allowCredentials');

/** Answers that are not as the library has them, by path. */
const shapes = new Map<string, (body: Body) => unknown>([
  // A new account looks like one that was there before.
  ['/sign-up/email', ({ user }) => ({ user: { name: user?.name, email: user?.email } })],
  [
    '/passkey/generate-register-options',
    only(
      'challenge',
      'timeout',
      'rp',
      'user',
      'pubKeyCredParams',
      'excludeCredentials',
      'authenticatorSelection',
      'attestation',
    ),
  ],
  ['/passkey/verify-registration', only('id', 'name')],
  // The library prefers that the authenticator verifies its user; here it has to.
  ['/passkey/generate-authenticate-options', (body) => ({ ...answered(body), userVerification: 'required' })],
  ['/passkey/verify-authentication', only('user')],
]);

/** The answer to a success: the session's token is in its cookie only. */
export function emitted(path: string, body: Body | null): unknown {
  if (body === null || typeof body !== 'object') return body;
  const shape = shapes.get(path);
  if (shape !== undefined) return shape(body);
  if (body.session) return { session: { ...body.session, token: undefined }, user: body.user };
  return body.user === undefined ? body : { user: body.user };
}
