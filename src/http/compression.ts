import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Reply } from './reply.ts';

// Answers are compressed where the client accepts it. Compression runs on other threads than requests do.

/** The encodings offered, the one preferred among equals first. */
const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** A smaller body gains less than its header and the work cost. */
const smallestBytes = 1_024;

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:(?:[\w.-]+\+)?json\b|graphql\b)|image\/svg\+xml)/i;

/** How hard an encoder tries: for a body that is sent once, and for one that is cached and sent again. */
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

/** Weights by coding, from the header Accept-Encoding. */
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

/** The encoding a client likes best of those offered; null where it accepts none, or likes the plain text better. */
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

/** Compressed forms of bodies that are the same bytes each time, as long as those live. */
const cached = new WeakMap<Uint8Array, Map<Encoding, Promise<Uint8Array>>>();

function encoded(body: string | Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  const encode = encoders[encoding];
  if (typeof body === 'string') return encode(Buffer.from(body), once);
  return cached
    .getOrInsertComputed(body, () => new Map())
    .getOrInsertComputed(encoding, () => encode(body, repeated));
}

/** The body of an answer that has another form where the client accepts it: a whole text that is long enough, and sets no cookie. Null for any other. */
function compressibleBody({ headers, body }: Reply): string | Uint8Array | null {
  if (body === null || body instanceof ReadableStream || body.length < smallestBytes) return null;
  if (headers['Content-Encoding'] !== undefined || headers['Set-Cookie'] !== undefined) return null;
  return compressible.test(String(headers['Content-Type'] ?? '')) ? body : null;
}

const varying = ({ headers }: Reply): string =>
  headers['Vary'] === undefined ? 'Accept-Encoding' : `${headers['Vary']}, Accept-Encoding`;

/**
 * An answer as the client accepts it. Texts of 1 KB and more are compressed, with Brotli or gzip; streams, pictures and answers that set a cookie
 * go out as they are. Bytes are taken for a document that is served again and again, and compressed once.
 */
export async function compressed(accepted: string | null, reply: Reply): Promise<Reply> {
  const body = compressibleBody(reply);
  if (body === null) return reply;
  const headers = { ...reply.headers, Vary: varying(reply) };
  const encoding = encodingFor(accepted);
  return encoding === null
    ? { ...reply, headers }
    : {
        ...reply,
        headers: { ...headers, 'Content-Encoding': encoding },
        body: await encoded(body, encoding),
      };
}
