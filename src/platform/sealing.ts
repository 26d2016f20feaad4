import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const idBytes = 6;

/** Encryption of stored values. An encrypted value starts with the ID of its key and a period. */
export type Sealing = {
  /** Encrypts a string with the current key. */
  readonly encrypt: (text: string) => string;
  /** Decrypts a value with the key that encrypted it. Throws if no key matches or the value was modified. */
  readonly decrypt: (sealed: string) => string;
  /** Prefix of the values that are encrypted with the current key. */
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

/** Derives the encryption key from the secret. Keys of older secrets are used only for decryption. */
export function deriveSealing(secret: string, older: readonly string[]): Sealing {
  const current = keyOf(secret);
  const keys = [current, ...older.map(keyOf)];
  const openWithAny = (payload: string): string => {
    for (const key of keys) {
      try {
        return open(key, payload);
      } catch {
        // Tries the next key. If all keys fail, the error below is thrown.
      }
    }
    throw new Error('A stored secret was sealed with none of the secrets this process has.');
  };
  return {
    encrypt: (text) => seal(current, text),
    decrypt: (sealed) => {
      const [id, payload] = sealed.split('.');
      // Values encrypted by the first releases don't contain a key ID.
      if (id === undefined || payload === undefined) return openWithAny(sealed);
      const key = keys.find((one) => one.id === id);
      if (key === undefined)
        throw new Error(`A stored secret was sealed with the key ${id}, which this process does not have.`);
      return open(key, payload);
    },
    currentMark: `${current.id}.`,
  };
}
