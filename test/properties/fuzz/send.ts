import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { BytesRequest, FuzzRequest, HttpRequest } from './request.ts';

/** What came back: the status, null where the connection ended or stayed silent; how long it took in milliseconds; the body. */
export type Answer = {
  readonly status: number | null;
  readonly ms: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** True where the client never got an answer it could wait for. */
  readonly isSilent: boolean;
};

/** How long an answer is waited for. */
const patienceMs = 30_000;

/** How much of an answer is looked at, in characters. */
const lookedAt = 4_000_000;

/** How long a stream is listened to, and bytes that are no request are waited on. */
const listenMs = 250;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const isStream = ({ headers }: IncomingMessage): boolean =>
  /event-stream|multipart/.test(String(headers['content-type']));

/** Reads an answer to its end; of a stream, its beginning. */
async function read(incoming: IncomingMessage): Promise<string> {
  const stop = isStream(incoming) ? setTimeout(() => incoming.destroy(), listenMs) : undefined;
  let text = '';
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>)
      if (text.length < lookedAt) text += chunk.toString('latin1');
  } catch {
    // What was cut off has been read so far.
  }
  clearTimeout(stop);
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** A request that Node's own client does not send, as the bytes it would be. */
function asBytes({ about, method, path, headers, body }: HttpRequest): BytesRequest {
  const lines = Object.entries({
    host: 'localhost',
    ...headers,
    connection: 'close',
    'content-length': String(body?.length ?? 0),
  });
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
  return { kind: 'bytes', about, pieces: [Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)] };
}

/** A body that is rejected before all of it was sent may cost the connection. */
const isTooLong = ({ body }: HttpRequest): boolean => body !== null && body.length > 1_000_000;

function sendHttp(url: URL, request: HttpRequest, isRepeated = false): Promise<Answer> {
  const began = performance.now();
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const none = (isSilent: boolean): void =>
    resolve({ status: null, ms: performance.now() - began, headers: {}, body: '', isSilent });
  const { method, path, headers, body } = request;
  const length = body === null ? {} : { 'content-length': body.length };
  const outgoing = httpRequest({
    agent,
    hostname: url.hostname,
    port: url.port,
    method,
    path,
    headers: { ...headers, ...length },
  });
  outgoing.setTimeout(patienceMs, () => outgoing.destroy());
  outgoing.on('error', () => {
    // The server may close a kept connection at the very moment it is used again.
    if (outgoing.reusedSocket && !isRepeated && performance.now() - began < patienceMs)
      resolve(sendHttp(url, request, true));
    else none(!isTooLong(request));
  });
  outgoing.on('response', (incoming) => {
    read(incoming).then(
      (text) => {
        const { statusCode = null } = incoming;
        resolve({
          status: statusCode,
          ms: performance.now() - began,
          headers: incoming.headers,
          body: text,
          isSilent: false,
        });
      },
      () => none(true),
    );
  });
  outgoing.end(body ?? undefined);
  return promise;
}

/** Sends bytes piece by piece and listens for a moment. Silence and a closed connection are answers here. */
function sendBytes(url: URL, { pieces }: BytesRequest): Promise<Answer> {
  const began = performance.now();
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const socket = connect(Number(url.port), url.hostname);
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => socket.destroy(), listenMs);
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(timer);
    const body = Buffer.concat(chunks).toString('utf8');
    const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(body) ?? [];
    resolve({
      status: status === undefined ? null : Number(status),
      ms: performance.now() - began,
      headers: {},
      body,
      isSilent: false,
    });
  });
  socket.on('connect', async () => {
    for (const piece of pieces) {
      if (socket.destroyed) return;
      await new Promise((done) => socket.write(piece, done));
      await new Promise((done) => setImmediate(done));
    }
  });
  return promise;
}

/** Sends a request and answers what came back. Never rejects. */
export function send(url: URL, request: FuzzRequest): Promise<Answer> {
  if (request.kind === 'bytes') return sendBytes(url, request);
  try {
    return sendHttp(url, request);
  } catch {
    // Node's client sends no header or path with certain characters; others do.
    return sendBytes(url, asBytes(request));
  }
}
