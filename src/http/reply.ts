import type { ServerResponse } from 'node:http';

/** An answer as it goes out. A body of null is none; a stream goes out as it comes. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** What follows a stream that went out whole; its header `Trailer` names them. */
  readonly trailers?: () => Readonly<Record<string, string>>;
};

/** Headers of every answer. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
} as const;

/** An answer in JSON. */
export const jsonReply = (status: number, value: unknown, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** An answer in plain text. */
export const textReply = (status: number, text: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=UTF-8', ...headers },
  body: text,
});

/** Waits until the client has taken what was written, or has left. */
const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      outgoing.off('drain', goOn).off('close', goOn);
      resolve();
    };
    outgoing.on('drain', goOn).on('close', goOn);
  });

/** Writes a stream as it comes, no faster than the client reads, and cancels it when the client leaves. */
async function writeStream(
  outgoing: ServerResponse,
  stream: ReadableStream<Uint8Array>,
  trailers: Reply['trailers'],
): Promise<void> {
  const reader = stream.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  if (outgoing.destroyed) return leave();
  outgoing.on('close', leave);
  outgoing.flushHeaders();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(next.value)) await drained(outgoing);
    }
    if (trailers !== undefined) outgoing.addTrailers(trailers());
    outgoing.end();
  } catch (error) {
    // The stream of a client that left ends in the failure it was given up with.
    if (!outgoing.destroyed) throw error;
  } finally {
    outgoing.off('close', leave);
  }
}

/** Writes an answer. Throws, or rejects for a stream, when it cannot be written. */
export function writeReply(outgoing: ServerResponse, reply: Reply): void | Promise<void> {
  const { status, headers, body, trailers } = reply;
  if (body === null) {
    outgoing.writeHead(status, headers as Record<string, string>).end();
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) } as never).end(body);
  } else {
    outgoing.writeHead(status, headers as Record<string, string>);
    return writeStream(outgoing, body, trailers);
  }
}

const streamTypes = /^(?:text\/event-stream|multipart\/mixed)/;

/** The name of a header as replies spell it: `Content-Type`, `RateLimit-Limit`. */
const headerName = (name: string): string =>
  name.toLowerCase().replace(/(?:^|-)[a-z]|(?<=^rate)l/g, (start) => start.toUpperCase());

/** The answer of a library that speaks in responses of the web, each read whole unless it is a stream. */
export async function replyOf(response: Response): Promise<Reply> {
  const headers: Record<string, string> = {};
  // Its length is that of its body, which is counted when it is written.
  for (const [name, value] of response.headers)
    if (!/^content-length$/i.test(name)) headers[headerName(name)] = value;
  const isStream = streamTypes.test(headers['Content-Type'] ?? '');
  const body = response.body === null || isStream ? response.body : await response.text();
  return { status: response.status, headers, body };
}
