import type { ServerResponse } from 'node:http';

/** HTTP response. If the body is a stream, it is written while it is generated. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** Trailers to send after a complete stream. The `Trailer` header must announce them. */
  readonly trailers?: () => Readonly<Record<string, string>>;
};

/** Security headers that every response contains. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
} as const;

/** Duration in seconds of the requirement that browsers access the host only over HTTPS: one year. */
const secureSeconds = 31_536_000;

/** Returns the `Strict-Transport-Security` header if the public URL uses HTTPS. */
export const transportHeaders = (publicUrl: string): Readonly<Record<string, string>> =>
  publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${secureSeconds}` } : {};

export const jsonReply = (status: number, value: unknown, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

export const textReply = (status: number, text: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=UTF-8', ...headers },
  body: text,
});

/** Resolves when more data can be written or the client has disconnected. */
const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      outgoing.off('drain', goOn).off('close', goOn);
      resolve();
    };
    outgoing.on('drain', goOn).on('close', goOn);
  });

/** Writes a stream as fast as the client reads it. Cancels the stream if the client disconnects. */
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
    // Ignores the error if the client disconnected, because the cancellation of the stream caused it.
    if (!outgoing.destroyed) throw error;
  } finally {
    outgoing.off('close', leave);
  }
}

/** Writes a response. Throws if writing fails; for a stream, returns a promise that rejects. */
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

/** Returns a header name in canonical case, such as `Content-Type` or `RateLimit-Limit`. */
const headerName = (name: string): string =>
  name.toLowerCase().replace(/(?:^|-)[a-z]|(?<=^rate)l/g, (start) => start.toUpperCase());

/** Converts a `Response` of the web platform. Reads the body unless it is a stream. */
export async function replyOf(response: Response): Promise<Reply> {
  const headers: Record<string, string> = {};
  // Omits `Content-Length`, which is calculated when the body is written.
  for (const [name, value] of response.headers)
    if (!/^content-length$/i.test(name)) headers[headerName(name)] = value;
  const isStream = streamTypes.test(headers['Content-Type'] ?? '');
  const body = response.body === null || isStream ? response.body : await response.text();
  return { status: response.status, headers, body };
}
