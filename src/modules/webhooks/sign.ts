import { createHmac, randomBytes } from 'node:crypto';

/** The event a message describes. */
export type Emitted = {
  readonly id: string;
  readonly kind: string;
  readonly occurredAt: Date;
  readonly data: object;
};

const prefix = 'whsec_';

/** A new signing secret: `whsec_`, then 32 random bytes as padded Base64, the form in which libraries for Standard Webhooks take it. */
export const newSigningSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** The signature of a body: lower-case hex HMAC-SHA-256 of its exact bytes, under the whole secret (PLT-43). */
export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex');

/** The bytes that a secret stands for. Both alphabets of Base64 are read, with and without padding. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

/** The headers of the Standard Webhooks specification for an attempt at `sentAt`, a real time. The id is the same for every attempt. */
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

/** The headers of one attempt to deliver an event: those of the service, and those of the Standard Webhooks specification. */
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
