import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { newId } from '../../src/platform/ids.ts';
import type { TestApp } from './harness.ts';

// Software authenticator for passkeys (WebAuthn Level 3, sections 6 and 8.7): ES256 keys without attestation.

const hash = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();
const base64url = (value: string | Buffer): string => Buffer.from(value).toString('base64url');

/** Returns the CBOR head for a length or a value below 65,536 (RFC 8949, section 3). */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** Returns a public key in COSE format (RFC 9053, section 7.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return map(
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y, 'base64url'))],
  );
}

type AuthenticatorOptions = {
  /** Relying party ID of the passkey. */
  readonly hostName: string;
  readonly origin: string;
  /** True if the authenticator verifies the user. Defaults to `true`. */
  readonly isVerifying?: boolean;
  readonly credentialId?: Buffer;
  /** Model ID (AAGUID) as a UUID. */
  readonly model?: string;
};

/** Authenticator with one passkey, used by a browser on an origin. */
export class Authenticator {
  readonly id: string;
  /** The authenticator's signature counter. */
  counter = 0;
  isVerifying: boolean;
  isBackedUp = true;
  #options: AuthenticatorOptions;
  #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.isVerifying = options.isVerifying ?? true;
    this.id = base64url(options.credentialId ?? randomBytes(32));
  }

  /** Returns the response to registration options. */
  create({ challenge }: { readonly challenge: string }) {
    const { model = '00000000-0000-0000-0000-000000000000' } = this.#options;
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([
      Buffer.from(model.replaceAll('-', ''), 'hex'),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      coseKey(this.#keys.publicKey),
    ]);
    const attestation = map(
      [text('fmt'), text('none')],
      [text('attStmt'), map()],
      [text('authData'), bytes(this.#authenticatorData(attested))],
    );
    return this.#credential({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge)),
      attestationObject: base64url(attestation),
      transports: ['internal', 'hybrid'],
    });
  }

  /** Returns the response to sign-in options. */
  get({ challenge }: { readonly challenge: string }) {
    const authenticatorData = this.#authenticatorData();
    const clientData = this.#clientData('webauthn.get', challenge);
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, hash(clientData)]))
      .sign(this.#keys.privateKey);
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
    });
  }

  #credential = <R extends object>(response: R) => ({
    id: this.id,
    rawId: this.id,
    type: 'public-key',
    response,
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  });

  #clientData = (type: string, challenge: string): string =>
    JSON.stringify({ type, challenge, origin: this.#options.origin, crossOrigin: false });

  #authenticatorData(attested?: Buffer): Buffer {
    this.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags =
      1 | (this.isVerifying ? 4 : 0) | 8 | (this.isBackedUp ? 16 : 0) | (attested === undefined ? 0 : 64);
    return Buffer.concat([
      hash(this.#options.hostName),
      Buffer.from([flags]),
      counter,
      attested ?? Buffer.alloc(0),
    ]);
  }
}

/** Inserts a person's passkey without using an authenticator. */
export const storePasskey = ({ app: { database, wall } }: TestApp, userId: string) =>
  database.prisma.passkey.create({
    data: {
      id: newId('psk'),
      userId,
      name: 'Passkey',
      credentialId: base64url(randomBytes(32)),
      publicKey: 'none',
      counter: 0n,
      deviceType: 'singleDevice',
      backedUp: false,
      createdAt: wall.now(),
    },
  });
