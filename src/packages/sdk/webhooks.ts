import type { EventPayloads } from './generated/types.ts';

type Types = keyof EventPayloads;

/** Fields of every message to a webhook endpoint. */
type Message<Type extends string, Data> = {
  readonly id: string;
  readonly event: Type;
  readonly timestamp: string;
  readonly organizationId: string;
  readonly mode: 'live' | 'sandbox';
  readonly apiVersion: string;
  readonly data: Data;
};

/** Verified message. Comparing `event` narrows `data`. */
export type WebhookEvent =
  | { [Type in Types]: Message<Type, EventPayloads[Type]> }[Types]
  | Message<'webhook.test', Record<string, never>>;

/** Reason why a message was rejected. `body_parsed` means that the body was parsed before it was verified. */
export type WebhookRejection = 'missing_header' | 'timestamp' | 'signature' | 'body_parsed' | 'secret';

/** Message that isn't genuine, or that can't be verified. Respond with status 400. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
  readonly reason: WebhookRejection;

  constructor(reason: WebhookRejection, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** Maximum age of a message in seconds. Defaults to 300. */
  readonly toleranceSeconds?: number;
  /** Current time. Defaults to the system time. */
  readonly now?: () => number;
};

const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function';

function header(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string') return value;
  throw new WebhookSignatureError('missing_header', `The message has no header ${name}.`);
}

/** Returns the bytes of a Base64 text. Also accepts the URL-safe alphabet, which older secrets use. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );
}

const encoder = new TextEncoder();

async function isSignedWith(secret: string, signed: Uint8Array<ArrayBuffer>, signatures: readonly string[]) {
  let key: CryptoKey;
  try {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''));
    key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  } catch {
    throw new WebhookSignatureError('secret', 'The secret must start with whsec_ and contain Base64.');
  }
  for (const signature of signatures) {
    // `verify` compares in constant time.
    try {
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)) return true;
    } catch {
      // A signature that isn't Base64 doesn't match.
    }
  }
  return false;
}

/**
 * Verifies a message with the exact bytes of its body, and returns the event. Accepts several secrets, for the overlap after a
 * rotation. Throws `WebhookSignatureError`.
 */
async function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const isText = typeof body === 'string';
  if (!isText && !(body instanceof Uint8Array))
    throw new WebhookSignatureError('body_parsed', 'Pass the body as text or bytes, not as a parsed object.');
  const [id, timestamp] = [header(headers, 'webhook-id'), header(headers, 'webhook-timestamp')];
  const ageSeconds = Math.abs(now() / 1_000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds))
    throw new WebhookSignatureError('timestamp', 'The message is too old, or a clock is wrong.');
  const text = isText ? body : new TextDecoder().decode(body);
  const signed = encoder.encode(`${id}.${timestamp}.${text}`);
  const signatures = header(headers, 'webhook-signature')
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  for (const secret of [secrets].flat())
    if (await isSignedWith(secret, signed, signatures)) return JSON.parse(text) as WebhookEvent;
  throw new WebhookSignatureError('signature', 'No signature of the message matches.');
}

/** Store of the IDs of handled events. An event is added after its handler has succeeded. */
export type SeenEvents = {
  readonly has: (id: string) => boolean | Promise<boolean>;
  readonly add: (id: string) => unknown;
};

export type WebhookHandlers = {
  readonly [Type in WebhookEvent['event']]?: (
    event: Extract<WebhookEvent, { readonly event: Type }>,
  ) => unknown;
};

export type HandlerOptions = VerifyOptions & {
  readonly secret: string | readonly string[];
  /** Store of handled events. Repeated events are acknowledged and skipped. */
  readonly seen?: SeenEvents;
  /** Called with each error: a message that isn't genuine, or a function that throws. */
  readonly onError?: (error: unknown) => void;
};

/** Request of Node.js or Express. `body` contains the bytes if a parser such as `express.raw` has read them. */
type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
};
type NodeResponse = { statusCode: number; readonly end: () => unknown };
/** Context of Hono. */
type HonoContext = { readonly req: { readonly raw: Request } };

/** Handler for Fetch, Hono, Node.js, and Express. Responds with 204, 400 for a message that isn't genuine, or 500 if a handler throws. */
type WebhookHandler = {
  (request: Request | HonoContext, ...others: readonly unknown[]): Promise<Response>;
  (request: NodeRequest, response: NodeResponse): Promise<void>;
};

/** True if the second argument of a handler is a response of Node.js. Next.js, Hono, and workers pass other values. */
const isNodeResponse = (value: unknown): value is NodeResponse =>
  typeof value === 'object' &&
  value !== null &&
  'statusCode' in value &&
  typeof (value as Partial<NodeResponse>).end === 'function';

async function bodyOf(request: NodeRequest): Promise<string | Uint8Array> {
  if (request.body !== undefined) return request.body as string | Uint8Array;
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

function handler(
  handlers: WebhookHandlers,
  { secret, seen, onError, ...options }: HandlerOptions,
): WebhookHandler {
  const handle = async (event: WebhookEvent): Promise<void> => {
    if ((await seen?.has(event.id)) === true) return;
    await (handlers[event.event] as ((event: WebhookEvent) => unknown) | undefined)?.(event);
    await seen?.add(event.id);
  };
  const statusFor = async (
    body: Promise<string | Uint8Array>,
    headers: WebhookHeaders,
  ): Promise<204 | 400 | 500> => {
    let isGenuine = false;
    try {
      const event = await verify(await body, headers, secret, options);
      isGenuine = true;
      await handle(event);
      return 204;
    } catch (error) {
      onError?.(error);
      return !isGenuine && error instanceof WebhookSignatureError ? 400 : 500;
    }
  };
  return (async (request: Request | HonoContext | NodeRequest, response?: unknown) => {
    if (isNodeResponse(response)) {
      const node = request as NodeRequest;
      response.statusCode = await statusFor(bodyOf(node), node.headers);
      response.end();
      return;
    }
    const received = 'req' in request ? request.req.raw : (request as Request);
    return new Response(null, { status: await statusFor(received.text(), received.headers) });
  }) as WebhookHandler;
}

/** Functions for webhook endpoints. */
export const webhooks = { verify, handler };
