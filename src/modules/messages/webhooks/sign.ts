import { createHmac, randomBytes } from 'node:crypto';

export type Emitted = {
  readonly id: string;
  readonly kind: string;
  readonly occurredAt: Date;
  readonly data: object;
};

const prefix = 'whsec_';

/** Generates a signing secret: `whsec_` and 32 random bytes as padded Base64, the format that Standard Webhooks libraries expect. */
export const newSigningSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** Returns the signature for a body: HMAC-SHA-256 of the exact bytes in lowercase hex, with the whole secret as the key (PLT-43). */
export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex');

/** Decodes a secret to bytes. Accepts both Base64 alphabets, with and without padding. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

/** Standard Webhooks headers for an attempt at `sentAt` (real time). The message ID is the same for all attempts. */
function standardHeaders(
  id: string,
  sentAt: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1_000);
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`, 'utf8');
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** Headers for a delivery attempt: Quittance's own headers, and the Standard Webhooks headers. */
export const headersOf = (
  emitted: Emitted,
  body: string,
  [secret, ...previous]: readonly [string, ...string[]],
  sentAt: Date,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': 'Quittance',
  'X-Service-Signature': signatureOf(body, secret),
  'X-Service-Event': emitted.kind,
  'X-Service-Event-Id': emitted.id,
  'X-Service-Timestamp': emitted.occurredAt.toISOString(),
  ...standardHeaders(emitted.id, sentAt, body, [secret, ...previous]),
});
