import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Database } from './db.ts';

/** What the installation signs and encrypts with, derived from one secret (protocols D6). */
export type Secrets = {
  /** Signs a page token. The same facts give the same token, so a link stays the same for as long as it is valid. */
  readonly signPage: (facts: PageFacts) => Promise<string>;
  /** The facts of a token this installation signed, or null. */
  readonly readPage: (token: string) => Promise<PageFacts | null>;
  /** Signs a token that is good until an instant, which is cut to whole seconds. */
  readonly signLink: (facts: PageFacts, expiresAt: Date) => Promise<string>;
  /** The facts of a token of `signLink` for this page; `expired` from its last instant on, null for any other token. */
  readonly readLink: (token: string, page: string, now: Date) => Promise<PageFacts | 'expired' | null>;
  /** What sessions of people are signed with. */
  readonly sessionSecret: string;
  readonly encrypt: (text: string) => string;
  readonly decrypt: (sealed: string) => string;
};

/** What a page token stands for: one page about one thing of one environment. */
export type PageFacts = { readonly page: string; readonly environmentId: string; readonly subjectId: string };

/** The hash under which an API key's secret is stored. The secret has 256 random bits, so a plain hash suffices. */
export const hashSecret = (secret: string): string => hash('sha256', secret);

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

function pageFacts({ aud, env, sub }: JWTPayload): PageFacts | null {
  return typeof aud === 'string' && typeof env === 'string' && typeof sub === 'string'
    ? { page: aud, environmentId: env, subjectId: sub }
    : null;
}

/** Derives the keys from a secret of at least 32 characters. */
export function deriveSecrets(secret: string): Secrets {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `quittance ${purpose}`, 32));
  const signing = derive('page tokens');
  const unsigned = (facts: PageFacts) =>
    new SignJWT({ env: facts.environmentId, sub: facts.subjectId }).setProtectedHeader({ alg: 'HS256' }).setAudience(facts.page);
  const sealing = derive('stored secrets');
  return {
    sessionSecret: Buffer.from(derive('sessions')).toString('base64url'),
    signPage: (facts) => unsigned(facts).sign(signing),
    readPage: async (token) => {
      try {
        const { payload } = await jwtVerify(token, signing, { algorithms: ['HS256'] });
        // A token with an end is a link of its own kind.
        return payload.exp === undefined ? pageFacts(payload) : null;
      } catch {
        return null;
      }
    },
    signLink: (facts, expiresAt) => unsigned(facts).setExpirationTime(expiresAt).sign(signing),
    readLink: async (token, page, now) => {
      try {
        const wanted = { algorithms: ['HS256'], audience: page, requiredClaims: ['exp'], currentDate: now };
        return pageFacts((await jwtVerify(token, signing, wanted)).payload);
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : null;
      }
    },
    encrypt: (text) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, sealing, iv);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    decrypt: (text) => {
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv(algorithm, sealing, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}

/** The secret given by the settings, else one of 32 random bytes that is made once and kept in the database for every process. */
export async function loadSecrets(database: Database, configured: string | undefined): Promise<Secrets> {
  if (configured !== undefined) return deriveSecrets(configured);
  await database.prisma.setting.createMany({
    data: [{ name: 'app_secret', value: randomBytes(32).toString('base64url') }],
    skipDuplicates: true,
  });
  const { value } = await database.prisma.setting.findUniqueOrThrow({ where: { name: 'app_secret' } });
  return deriveSecrets(value);
}
