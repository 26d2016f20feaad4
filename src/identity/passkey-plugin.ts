import type { Clock } from '../platform/clock.ts';
import type { Query } from '../platform/db/pool.ts';
import { findPasskeys, notePasskeyUse, type PasskeyPlace, passkeyLimit } from './passkeys.ts';

type Parts = { readonly query: Query; readonly wall: Clock };

/** Passkey request errors that the authentication library doesn't define. */
const rejections = {
  USER_NOT_VERIFIED: 'The authenticator did not verify its user.',
  TOO_MANY_PASSKEYS: `An account has at most ${passkeyLimit} passkeys.`,
  PASSKEY_NOT_FOUND: 'Passkey not found',
} as const;

/**
 * Returns the library's passkey plugin. A passkey replaces both the password and the one-time code, so registration and each sign-in require user
 * verification, such as a fingerprint or PIN.
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
    // A sign-in starts without an email address, so the passkey must be stored on the authenticator (resident key).
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
