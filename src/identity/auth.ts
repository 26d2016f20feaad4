import type { BetterAuthOptions } from 'better-auth';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/db/pool.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Mail, MailMessage } from '../platform/mail.ts';
import type { Secrets } from '../platform/secrets.ts';
import { passkeyPlugin } from './passkey-plugin.ts';
import { passkeyPlace } from './passkeys.ts';
import { withHashedTokens } from './session-tokens.ts';

/** Someone who has signed in, by a session. */
export type Person = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
  /** When the person was last proved in the session, by the password or a passkey; null before that was noted. */
  readonly provenAt: Date | null;
};

/** Accounts of people: email and password, sessions in cookies. */
export type Auth = {
  /** Answers a request for one of the addresses that are offered, which the caller sees to, as the library answers it. */
  readonly handle: (request: Request) => Promise<Response>;
  /** Who the cookies among the headers belong to; null without a session that lives. */
  readonly personOf: (headers: Headers) => Promise<Person | null>;
};

/** Where the pages find it. */
export const authPath = '/auth';

/** Bounds of a password, in characters. */
export const passwordLength = { minimum: 10, maximum: 128 } as const;

const dayS = 86_400;

/** The library's names of what it stores, by ours. */
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

/** How long the link of a forgotten password works. */
const resetS = 3_600;

/**
 * Sends an email of accounts without letting its caller wait, so that the answer takes as long for an address that is not known. A failure is
 * logged.
 */
const sendLater = ({ send, log }: Parts, message: MailMessage): void => {
  send(message).catch((error: unknown) =>
    log.error({ err: error }, 'An email of an account could not be sent.'),
  );
};

/** The library is loaded when someone first signs in or sends a cookie: most processes never need it. */
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
      // A sign-up that signed in would tell by that whether the address was known before.
      autoSignIn: false,
      minPasswordLength: passwordLength.minimum,
      maxPasswordLength: passwordLength.maximum,
      resetPasswordTokenExpiresIn: resetS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) =>
        sendLater(parts, {
          to: user.email,
          subject: 'Choose a new password',
          text: `Somebody, most likely you, asked for a new password of your account.\n\nOpen this link within an hour:\n${config.publicUrl}/dashboard/reset-password/${token}\n\nIf it was not you, nothing has changed.\n`,
        }),
    },
    emailVerification: {
      sendVerificationEmail: async ({ user, token }) =>
        sendLater(parts, {
          to: user.email,
          subject: 'Confirm your address',
          text: `Your account is to sign in with this address.\n\nOpen this link within an hour:\n${config.publicUrl}/dashboard/verify-email/${token}\n\nIf you did not ask for this, nothing has changed.\n`,
        }),
      sendOnSignUp: false,
    },
    user: { modelName: 'person', changeEmail: { enabled: true } },
    account: { modelName: 'credential' },
    session: {
      expiresIn: 7 * dayS,
      updateAge: dayS,
      // What needs a fresh session needs a fresh proof here, which is demanded before the library is asked.
      freshAge: 0,
      additionalFields: { provenAt: { type: 'date', required: false, input: false } },
    },
    verification: { storeIdentifier: 'hashed' },
    // A code counts once a first one was typed; ten wrong ones in a row at sign-ins lock codes for 15 minutes.
    plugins: [twoFactor({ issuer: 'Quittance', twoFactorTable: 'secondFactor' }), ...passkeys],
    advanced: {
      useSecureCookies: config.publicUrl.startsWith('https:'),
      cookiePrefix: 'quittance',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      // Addresses are counted by our own limits, and headers that anybody can send are no addresses.
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

/** Whether a request brings the cookie of a session, which may have ended. */
export const hasSessionCookie = (headers: { readonly get: (name: string) => string | null }): boolean =>
  /quittance\.session_token=/.test(headers.get('cookie') ?? '');

/** Opens accounts on the database. Cookies are HttpOnly, SameSite=Lax, and Secure where the service is reached over https. */
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
            sessionId: found.session.id,
            provenAt: found.session.provenAt ?? null,
          };
    },
  };
}
