import type { Clock } from '../platform/clock.ts';
import type { Query } from '../platform/db/pool.ts';
import { findPasskeys, notePasskeyUse, type PasskeyPlace, passkeyLimit } from './passkeys.ts';

type Parts = { readonly query: Query; readonly wall: Clock };

/** The rejections of a passkey beyond those of the library. */
const rejections = {
  USER_NOT_VERIFIED: 'The authenticator did not verify its user.',
  TOO_MANY_PASSKEYS: `An account has at most ${passkeyLimit} passkeys.`,
  PASSKEY_NOT_FOUND: 'Passkey not found',
} as const;

/**
 * The library's plugin for passkeys. A passkey counts as password and one-time code together, so the authenticator has to verify its user, by a
 * fingerprint or a PIN for instance: at the registration and at each use.
 */
export async function passkeyPlugin({ query, wall }: Parts, { hostName, origin }: PasskeyPlace) {
  const [{ getAuthenticatorName, passkey }, { APIError, getSessionFromCtx }] = await Promise.all([
    import('@better-auth/passkey'),
    import('better-auth/api'),
  ]);
  const reject = (status: 'BAD_REQUEST' | 'UNAUTHORIZED', code: keyof typeof rejections) =>
    APIError.from(status, { code, message: rejections[code] });
  return passkey({
    rpID: hostName,
    rpName: 'Quittance',
    origin,
    schema: { passkey: { fields: { credentialID: 'credentialId' } } },
    advanced: { webAuthnChallengeCookie: 'passkey_challenge' },
    // No address is typed at a sign-in: the authenticator has to know whose the passkey is.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ verification: { registrationInfo }, user }) => {
        if (registrationInfo?.userVerified !== true) throw reject('BAD_REQUEST', 'USER_NOT_VERIFIED');
        if ((await findPasskeys(query, user.id)).length >= passkeyLimit)
          throw reject('BAD_REQUEST', 'TOO_MANY_PASSKEYS');
        return { name: getAuthenticatorName(registrationInfo.aaguid) ?? 'Passkey' };
      },
    },
    authentication: {
      afterVerification: async ({ ctx, verification: { authenticationInfo } }) => {
        if (!authenticationInfo.userVerified) throw reject('UNAUTHORIZED', 'USER_NOT_VERIFIED');
        const session = await getSessionFromCtx(ctx);
        const use = {
          credentialId: authenticationInfo.credentialID,
          personId: session?.user.id ?? null,
          isBackedUp: authenticationInfo.credentialBackedUp,
        };
        if (!(await notePasskeyUse(query, use, wall.now())))
          throw reject('UNAUTHORIZED', 'PASSKEY_NOT_FOUND');
      },
    },
  });
}
