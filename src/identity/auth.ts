import type { BetterAuthOptions } from 'better-auth';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/db/pool.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail.ts';
import type { Secrets } from '../platform/secrets.ts';
import { confirmEmail, resetEmail, sendLater } from './account-emails.ts';
import { addressLinkS, signAddressLink, takeAddressLink } from './address-links.ts';
import { passkeyPlugin } from './passkey-plugin.ts';
import { passkeyPlace } from './passkeys.ts';
import {
  endOlderResetLinks,
  endResetLinks,
  proveAddress,
  resetIdentifier,
  storedResetIdentifier,
} from './prove-address.ts';
import { withHashedTokens } from './session-tokens.ts';

/** Signed-in user, with the current session. */
export type Person = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** True if the email address is verified. */
  readonly isEmailVerified: boolean;
  readonly sessionId: string;
  /** Time of the last identity check in this session, by password or passkey. `null` if the session has no identity check. */
  readonly provenAt: Date | null;
};

/** Authentication with email and password. Sessions are stored in cookies. */
export type Auth = {
  /** Passes a request to the authentication library. The caller must check that the path is allowed. */
  readonly handle: (request: Request) => Promise<Response>;
  /** Returns the user that the session cookie identifies. `null` if there's no valid session. */
  readonly personOf: (headers: Headers) => Promise<Person | null>;
  readonly sendAddressLink: (email: string) => void;
  /** Redeems a verification link for the signed-in user. See `takeAddressLink`. */
  readonly takeAddressLink: (person: Person, token: string) => Promise<boolean>;
};

/** Path prefix of the authentication endpoints. */
export const authPath = '/auth';

/** Minimum and maximum number of characters in a password. */
export const passwordLength = { minimum: 10, maximum: 128 } as const;

const dayS = 86_400;

/** ID prefixes by model name of the authentication library. */
const prefixes: Readonly<Record<string, string>> = {
  user: 'usr',
  session: 'ses',
  account: 'lgn',
  verification: 'ver',
  twoFactor: 'fac',
  passkey: 'psk',
};

type Parts = {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly send: Mail['send'];
  readonly wall: Clock;
};

/** Validity period of a password reset link, in seconds. */
const resetS = 3_600;

/** Completes a password reset. Receiving the email also verifies the address. All other reset links become invalid. */
const noteReset = ({ database, wall }: Parts, personId: string): Promise<void> =>
  database.transaction(async (transaction) => {
    await endResetLinks(transaction, personId);
    await proveAddress(transaction, { personId, sessionId: null }, wall.now());
  });

/** Loads the authentication library on first use, because most processes never need it. */
async function load(parts: Parts) {
  const { config, database, secrets, log, wall } = parts;
  const [{ betterAuth }, { prismaAdapter }, { twoFactor }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/adapters/prisma'),
    import('better-auth/plugins/two-factor'),
  ]);
  const place = passkeyPlace(config.publicUrl);
  const passkeys = place === null ? [] : [await passkeyPlugin({ query: database.query, wall }, place)];
  return betterAuth({
    appName: 'Quittance',
    baseURL: new URL(config.publicUrl).origin,
    basePath: authPath,
    secret: secrets.sessionSecret,
    database: (options: BetterAuthOptions) =>
      withHashedTokens(prismaAdapter(database.prisma, { provider: 'postgresql' })(options)),
    emailAndPassword: {
      enabled: true,
      // Disabled because an automatic sign-in would reveal that the email address is new.
      autoSignIn: false,
      minPasswordLength: passwordLength.minimum,
      maxPasswordLength: passwordLength.maximum,
      resetPasswordTokenExpiresIn: resetS,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => noteReset(parts, user.id),
      sendResetPassword: async ({ user, token }) =>
        sendLater(
          parts,
          endOlderResetLinks(database.query, user.id, token).then(() =>
            resetEmail(config.publicUrl, user.email, token),
          ),
        ),
    },
    emailVerification: {
      // Called only for changes to an email address. `sendAddressLink` sends the link to new accounts.
      sendVerificationEmail: async ({ user, token }) =>
        sendLater(parts, Promise.resolve(confirmEmail(config.publicUrl, user.email, token))),
      sendOnSignUp: false,
      expiresIn: addressLinkS,
    },
    user: { modelName: 'person', changeEmail: { enabled: true } },
    account: { modelName: 'credential' },
    session: {
      expiresIn: 7 * dayS,
      updateAge: dayS,
      // Disabled because the maximum age of the last identity check is enforced before the library is called.
      freshAge: 0,
      additionalFields: { provenAt: { type: 'date', required: false, input: false } },
    },
    verification: {
      storeIdentifier: {
        default: 'hashed',
        // Keeps the prefix readable, so that all password reset links of a user can be found and deleted.
        overrides: { [resetIdentifier]: { hash: async (text) => storedResetIdentifier(text) } },
      },
    },
    // One-time codes are required as soon as the first code is confirmed. Ten wrong codes in a row lock an account's codes for 15 minutes.
    plugins: [twoFactor({ issuer: 'Quittance', twoFactorTable: 'secondFactor' }), ...passkeys],
    advanced: {
      useSecureCookies: config.publicUrl.startsWith('https:'),
      cookiePrefix: 'quittance',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      // Disabled because Quittance itself limits requests by IP address, and the library would trust forwarding headers from clients.
      ipAddress: { disableIpTracking: true },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      database: { generateId: ({ model }) => newId(prefixes[model] ?? 'acc') },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { log: (level, message) => log[level](message) },
  });
}

/** True if the request contains a session cookie. The session may have expired. */
export const hasSessionCookie = (headers: { readonly get: (name: string) => string | null }): boolean =>
  /quittance\.session_token=/.test(headers.get('cookie') ?? '');

/** Creates the authentication service. Cookies are HttpOnly, SameSite=Lax, and Secure if the public URL uses HTTPS. */
export function openAuth(parts: Parts): Auth {
  let loaded: ReturnType<typeof load> | null = null;
  const library = () => {
    loaded ??= load(parts);
    return loaded;
  };
  return {
    handle: async (request) => (await library()).handler(request),
    personOf: async (headers) => {
      if (!hasSessionCookie(headers)) return null;
      const found = await (await library()).api.getSession({ headers });
      return found === null
        ? null
        : {
            id: found.user.id,
            email: found.user.email,
            name: found.user.name,
            isEmailVerified: found.user.emailVerified,
            sessionId: found.session.id,
            provenAt: found.session.provenAt ?? null,
          };
    },
    sendAddressLink: (email) =>
      sendLater(
        parts,
        signAddressLink(parts.secrets, email, parts.wall.now()).then((token) =>
          confirmEmail(parts.config.publicUrl, email.toLowerCase(), token),
        ),
      ),
    takeAddressLink: (person, token) => takeAddressLink(parts, person, token, parts.wall.now()),
  };
}
