import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Reply } from './reply.ts';

// Response compression. Runs in a thread pool, so that it doesn't block other requests.

/** Supported encodings, in order of preference. */
const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** Minimum size in bytes of bodies that are compressed. Smaller bodies hardly benefit from compression. */
const smallestBytes = 1_024;

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:(?:[\w.-]+\+)?json\b|graphql\b)|image\/svg\+xml)/i;

/** Compression levels by encoding. Bodies that are sent once use lower levels than cached bodies. */
type Effort = { readonly br: number; readonly gzip: number };
const once: Effort = { br: 3, gzip: 4 };
const repeated: Effort = { br: 9, gzip: 9 };

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

const encoders: Readonly<Record<Encoding, (bytes: Uint8Array, effort: Effort) => Promise<Uint8Array>>> = {
  br: (bytes, effort) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: effort.br,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes, effort) => deflate(bytes, { level: effort.gzip }),
};

/** Parses the weights in an `Accept-Encoding` header. */
function weightsIn(accepted: string): ReadonlyMap<string, number> {
  return new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [coding = '', ...parameters] = part.split(';').map((each) => each.trim());
        const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
        return [coding, weight === undefined ? 1 : Number(weight) || 0] as const;
      }),
  );
}

/** Returns the supported encoding that the client prefers. `null` if the response must not be encoded. */
export function encodingFor(accepted: string | null): Encoding | null {
  if (accepted === null || accepted === '') return null;
  const weights = weightsIn(accepted);
  const others = weights.get('*') ?? 0;
  let best: { readonly encoding: Encoding | null; readonly weight: number } = {
    encoding: null,
    weight: weights.get('identity') ?? 0,
  };
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? others;
    const isBetter = best.encoding === null ? weight > 0 && weight >= best.weight : weight > best.weight;
    if (isBetter) best = { encoding, weight };
  }
  return best.encoding;
}

/** Compressed copies of reused bodies. Each copy is cached as long as the original body is in memory. */
const cached = new WeakMap<Uint8Array, Map<Encoding, Promise<Uint8Array>>>();

function encoded(body: string | Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  const encode = encoders[encoding];
  if (typeof body === 'string') return encode(Buffer.from(body), once);
  return cached
    .getOrInsertComputed(body, () => new Map())
    .getOrInsertComputed(encoding, () => encode(body, repeated));
}

/**
 * Returns the response body if it can be compressed. `null` if the body is too small, a stream, already encoded or not a text format, or if the
 * response sets a cookie.
 */
function compressibleBody({ headers, body }: Reply): string | Uint8Array | null {
  if (body === null || body instanceof ReadableStream || body.length < smallestBytes) return null;
  if (headers['Content-Encoding'] !== undefined || headers['Set-Cookie'] !== undefined) return null;
  return compressible.test(String(headers['Content-Type'] ?? '')) ? body : null;
}

const varying = ({ headers }: Reply): string =>
  headers['Vary'] === undefined ? 'Accept-Encoding' : `${headers['Vary']}, Accept-Encoding`;

/**
 * Compresses a response with Brotli or gzip if the client accepts it. Skips responses that set a cookie, and bodies smaller than 1 KB or in
 * a binary format. A body that consists of bytes is a reused document, so its compressed copy is cached.
 */
export function compressed(accepted: string | null, reply: Reply): Reply | Promise<Reply> {
  const body = compressibleBody(reply);
  if (body === null) return reply;
  const headers = { ...reply.headers, Vary: varying(reply) };
  const encoding = encodingFor(accepted);
  return encoding === null
    ? { ...reply, headers }
    : encoded(body, encoding).then((bytes) => ({
        ...reply,
        headers: { ...headers, 'Content-Encoding': encoding },
        body: bytes,
      }));
}
