import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Config } from './config.ts';
import type { Database } from './db/pool.ts';
import { deriveSealing, type Sealing } from './sealing.ts';

/** What the installation signs and encrypts with, derived from one secret, and what older ones still open. */
export type Secrets = Sealing & {
  /** Signs a page token. The same facts give the same token, so a link stays the same for as long as it is valid. */
  readonly signPage: (details: PageDetails) => Promise<string>;
  /** The facts of a token this installation signed, or null. */
  readonly readPage: (token: string) => Promise<PageDetails | null>;
  /** Signs a token that is good until an instant, which is cut to whole seconds. */
  readonly signLink: (details: PageDetails, expiresAt: Date) => Promise<string>;
  /** The facts of a token of `signLink` for this page; `expired` from its last instant on, null for any other token. */
  readonly readLink: (token: string, page: string, now: Date) => Promise<PageDetails | 'expired' | null>;
  /** What sessions of people are signed with; those of an older secret have ended. */
  readonly sessionSecret: string;
};

/** What a page token names: one page about one thing of one environment. */
export type PageDetails = {
  readonly page: string;
  readonly environmentId: string;
  readonly subjectId: string;
};

/** The hash under which an API key's secret is stored. The secret has 256 random bits, so a plain hash suffices. */
export const hashSecret = (secret: string): string => hash('sha256', secret);

function pageDetails({ aud, env, sub }: JWTPayload): PageDetails | null {
  return typeof aud === 'string' && typeof env === 'string' && typeof sub === 'string'
    ? { page: aud, environmentId: env, subjectId: sub }
    : null;
}

/** Reads a token by the first of the keys that signed it. What is wrong with it otherwise is thrown as the last key has it. */
async function readToken(
  token: string,
  keys: readonly Uint8Array[],
  wanted: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  let failure: unknown = null;
  for (const key of keys) {
    try {
      return (await jwtVerify(token, key, { algorithms: ['HS256'], ...wanted })).payload;
    } catch (error) {
      failure = error;
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  throw failure;
}

/**
 * Derives the keys from a secret of at least 32 characters. What older secrets sealed and signed is opened and read as well; what is made again
 * is made with the current one.
 */
export function deriveSecrets(secret: string, older: readonly string[] = []): Secrets {
  const derive = (from: string, purpose: string) =>
    new Uint8Array(hkdfSync('sha256', from, '', `quittance ${purpose}`, 32));
  const signing = derive(secret, 'page tokens');
  const reading = [signing, ...older.map((one) => derive(one, 'page tokens'))];
  const unsigned = (details: PageDetails) =>
    new SignJWT({ env: details.environmentId, sub: details.subjectId })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(details.page);
  return {
    ...deriveSealing(secret, older),
    sessionSecret: Buffer.from(derive(secret, 'sessions')).toString('base64url'),
    signPage: (details) => unsigned(details).sign(signing),
    readPage: async (token) => {
      try {
        const payload = await readToken(token, reading, {});
        // A token with an end is a link of its own kind.
        return payload.exp === undefined ? pageDetails(payload) : null;
      } catch {
        return null;
      }
    },
    signLink: (details, expiresAt) => unsigned(details).setExpirationTime(expiresAt).sign(signing),
    readLink: async (token, page, now) => {
      try {
        return pageDetails(
          await readToken(token, reading, { audience: page, requiredClaims: ['exp'], currentDate: now }),
        );
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : null;
      }
    },
  };
}

const keptName = 'app_secret';

/**
 * The secret given by the settings, else one of 32 random bytes that is made once and kept in the database for every process. One that was kept
 * there before the settings gave any counts as an older one.
 */
export async function loadSecrets(
  { prisma }: Pick<Database, 'prisma'>,
  { appSecret, appSecretPrevious }: Pick<Config, 'appSecret' | 'appSecretPrevious'>,
): Promise<Secrets> {
  if (appSecret === undefined) {
    const value = randomBytes(32).toString('base64url');
    await prisma.setting.createMany({ data: [{ name: keptName, value }], skipDuplicates: true });
  }
  const kept = (await prisma.setting.findUnique({ where: { name: keptName } }))?.value;
  const current = appSecret ?? kept;
  if (current === undefined) throw new Error('The secret of the installation was not kept.');
  const older = [...appSecretPrevious, ...(kept === undefined ? [] : [kept])];
  return deriveSecrets(
    current,
    older.filter((one) => one !== current),
  );
}
