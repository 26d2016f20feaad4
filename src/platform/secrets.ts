import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Config } from './config.ts';
import type { Database } from './db/pool.ts';
import { deriveSealing, type Sealing } from './sealing.ts';

/** Signing and encryption keys that are derived from the installation's secret. Older secrets remain valid for verification and decryption. */
export type Secrets = Sealing & {
  /** Signs a page token. The same details always produce the same token, so that links remain stable. */
  readonly signPage: (details: PageDetails) => Promise<string>;
  /** Verifies a page token and returns its details. `null` if the signature is invalid. */
  readonly readPage: (token: string) => Promise<PageDetails | null>;
  /** Signs a token with an expiration time, which is rounded down to seconds. */
  readonly signLink: (details: PageDetails, expiresAt: Date) => Promise<string>;
  /**
   * Verifies a token created by `signLink` and returns its details, or `expired`. `null` if the token is invalid or belongs to another page.
   */
  readonly readLink: (token: string, page: string, now: Date) => Promise<PageDetails | 'expired' | null>;
  /** Secret that signs sessions. Changing the installation's secret ends all sessions. */
  readonly sessionSecret: string;
};

/** Content of a page token: the page, and the object that the page shows. */
type PageDetails = {
  readonly page: string;
  readonly environmentId: string;
  readonly subjectId: string;
};

/** Returns the hash under which an API key is stored. A simple hash is sufficient for a secret of 256 random bits. */
export const hashSecret = (secret: string): string => hash('sha256', secret);

function pageDetails({ aud, env, sub }: JWTPayload): PageDetails | null {
  return typeof aud === 'string' && typeof env === 'string' && typeof sub === 'string'
    ? { page: aud, environmentId: env, subjectId: sub }
    : null;
}

/**
 * Verifies a token with the first matching key. Throws the last error if no key matches, and immediately throws any error except an invalid
 * signature.
 */
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
 * Derives all keys from a secret of at least 32 characters. New values use the current secret; older secrets are only used for verification and
 * decryption.
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
        // Tokens with an expiration time are created by `signLink` and aren't page tokens.
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
 * Returns the secret from the settings. Without a configured secret, generates 32 random bytes once and stores them in the database. If the settings
 * contain a secret later, the stored secret becomes an older secret.
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
