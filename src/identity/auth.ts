import type { BetterAuthOptions } from 'better-auth';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/db/pool.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets.ts';
import { withHashedTokens } from './session-tokens.ts';

/** Someone who has signed in, by a session. */
export type Person = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
};

/** Accounts of people: e-mail and password, sessions in cookies. */
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
};

type Parts = {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly log: Log;
};

/** The library is loaded when someone first signs in or sends a cookie: most processes never need it. */
async function load({ config, database, secrets, log }: Parts) {
  const [{ betterAuth }, { prismaAdapter }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/adapters/prisma'),
  ]);
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
    },
    user: { modelName: 'person' },
    account: { modelName: 'credential' },
    session: { expiresIn: 7 * dayS, updateAge: dayS },
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
      if (!/quittance\.session_token=/.test(headers.get('cookie') ?? '')) return null;
      const found = await (await library()).api.getSession({ headers });
      return found === null
        ? null
        : { id: found.user.id, email: found.user.email, name: found.user.name, sessionId: found.session.id };
    },
  };
}
