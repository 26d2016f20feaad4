/** Properties of the authentication library's response that this file uses. */
export type Body = {
  readonly token?: unknown;
  readonly session?: { readonly token?: unknown } | null;
  readonly user?: { readonly id?: unknown; readonly name?: unknown; readonly email?: unknown };
};

/** Returns a filter that keeps a response's public properties. Properties that a later library version adds aren't exposed. */
const only =
  (...names: readonly string[]) =>
  (body: object): object =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

const signInOptions = only('challenge', 'timeout', 'rpId', 'allowCredentials');

/** Response bodies that differ from those of the authentication library, by path. */
const shapes = new Map<string, (body: Body) => unknown>([
  // A sign-up with an existing address must return the same response as a sign-up with a new address.
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
  // The library only prefers user verification. A passkey sign-in requires it.
  [
    '/passkey/generate-authenticate-options',
    (body) => ({ ...signInOptions(body), userVerification: 'required' }),
  ],
  ['/passkey/verify-authentication', only('user')],
]);

/** Returns the body of a success response. The session token is removed because only the cookie may contain it. */
export function emitted(path: string, body: Body | null): unknown {
  if (body === null || typeof body !== 'object') return body;
  const shape = shapes.get(path);
  if (shape !== undefined) return shape(body);
  if (body.session) return { session: { ...body.session, token: undefined }, user: body.user };
  return body.user === undefined ? body : { user: body.user };
}
