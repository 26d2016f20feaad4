import type { IncomingMessage } from 'node:http';
import type { RequestHeaders } from '../authenticate.ts';
import { tooLarge } from './body.ts';

/** A REST request, whichever way it was received. */
export type Asked = {
  readonly method: string;
  /** Path and query string, as they were sent. */
  readonly address: string;
  readonly headers: RequestHeaders;
  /** Where the request came from. */
  readonly remoteAddress: string;
  /** The bytes of the body. Throws `validation_error` when there are more than `limit`. */
  readonly bytes: (limit: number) => Promise<Uint8Array>;
};

/** What follows the host in a URL. */
function addressOf(url: string): string {
  const begin = url.indexOf('/', url.indexOf('://') + 3);
  return begin === -1 ? '/' : url.slice(begin);
}

/** Reads the bytes of a request. Throws `validation_error` as soon as there are more than `limit`. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  // The server in front holds clients to the length they declare.
  if (declared !== null) {
    if (Number(declared) > limit) throw tooLarge(limit);
    return new Uint8Array(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A request of the web's own kind. */
export function askedByFetch(request: Request, remoteAddress: string): Asked {
  let body: Promise<Uint8Array> | null = null;
  return {
    method: request.method,
    address: addressOf(request.url),
    headers: { get: (name) => request.headers.get(name), all: () => request.headers },
    remoteAddress,
    bytes: (limit) => {
      body ??= readBytes(request, limit);
      return body;
    },
  };
}

// An address and a host every URL parser leaves as they are.
const plainAddress = /^\/[!$&-;=?-[\]_a-z~]*$/;
const dotSegment = /\/\.\.?(?:[/?]|$)/;
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/** Whether a request of Node's server can be taken as it came: its address and host need no parser, its body has a length, of at most `limit`. */
export function isPlain({ url = '', headers }: IncomingMessage, limit: number): boolean {
  return (
    plainAddress.test(url) &&
    !dotSegment.test(url) &&
    plainHost.test(headers.host ?? '') &&
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= limit
  );
}

/** The headers of a request of Node's server. One that was sent several times reads as the web has it: joined by commas. */
class IncomingHeaders implements RequestHeaders {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    // Of this one Node keeps the first alone.
    if (name === 'authorization') return this.#incoming.headersDistinct['authorization']?.join(', ') ?? null;
    const value = this.#incoming.headers[name];
    return typeof value === 'string' ? value : null;
  }

  all(): Headers {
    const { rawHeaders } = this.#incoming;
    const all = new Headers();
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) all.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    return all;
  }
}

const nothing = new Uint8Array(0);

/** Collects a body as it comes in. Rejects when the client leaves before its end. */
function collect(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
    incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? nothing) : Buffer.concat(chunks)));
    incoming.on('error', reject);
  });
}

/** A request of Node's server that `isPlain`. Its body is collected from now on: it is short. */
export function askedByNode(incoming: IncomingMessage): Asked {
  const hasBody = incoming.method !== 'GET' && Number(incoming.headers['content-length'] ?? 0) > 0;
  const body = hasBody ? collect(incoming) : Promise.resolve(nothing);
  // Whoever asks for the bytes is told; an answer that came before the body needs none.
  body.catch(() => undefined);
  return {
    method: incoming.method ?? 'GET',
    address: incoming.url ?? '/',
    headers: new IncomingHeaders(incoming),
    remoteAddress: incoming.socket.remoteAddress ?? '',
    bytes: () => body,
  };
}
