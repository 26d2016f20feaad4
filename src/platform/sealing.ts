import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const idBytes = 6;

/** Encrypts what is stored, so that the database alone does not tell it. A sealed value begins with the id of its key and a point. */
export type Sealing = {
  /** Seals with the current key. */
  readonly encrypt: (text: string) => string;
  /** Opens what any of the keys sealed. Throws for what none of them did, and for what was changed since. */
  readonly decrypt: (sealed: string) => string;
  /** What every value sealed with the current key begins with. */
  readonly currentMark: string;
};

type Key = { readonly id: string; readonly bytes: Uint8Array };

const derive = (secret: string, purpose: string, length: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `quittance ${purpose}`, length));

const keyOf = (secret: string): Key => ({
  id: Buffer.from(derive(secret, 'key id', idBytes)).toString('base64url'),
  bytes: derive(secret, 'stored secrets', 32),
});

function seal({ id, bytes }: Key, text: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, bytes, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

function open({ bytes: key }: Key, payload: string): string {
  const bytes = Buffer.from(payload, 'base64url');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  );
}

/** The keys of a secret and of older ones, which open what was sealed with them. */
export function deriveSealing(secret: string, older: readonly string[]): Sealing {
  const current = keyOf(secret);
  const keys = [current, ...older.map(keyOf)];
  const openWithAny = (payload: string): string => {
    for (const key of keys) {
      try {
        return open(key, payload);
      } catch {
        // Sealed with another key; the last of them is said below.
      }
    }
    throw new Error('A stored secret was sealed with none of the secrets this process has.');
  };
  return {
    encrypt: (text) => seal(current, text),
    decrypt: (sealed) => {
      const [id, payload] = sealed.split('.');
      // Values of the first releases name no key.
      if (id === undefined || payload === undefined) return openWithAny(sealed);
      const key = keys.find((one) => one.id === id);
      if (key === undefined)
        throw new Error(`A stored secret was sealed with the key ${id}, which this process does not have.`);
      return open(key, payload);
    },
    currentMark: `${current.id}.`,
  };
}
