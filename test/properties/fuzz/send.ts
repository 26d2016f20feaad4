import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { BytesRequest, FuzzRequest, HttpRequest } from './request.ts';

/** Response to a request. `status` is `null` if the connection ended or timed out without a response. */
export type Answer = {
  readonly status: number | null;
  readonly ms: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** True if the server should have responded but didn't. */
  readonly isSilent: boolean;
};

/** Time limit for a response, in milliseconds. */
const timeoutMs = 30_000;

/** Maximum number of characters read from a response. */
const maxBodyLength = 4_000_000;

/** Maximum time in milliseconds to listen to a stream or to wait for a response to raw bytes. */
const listenMs = 250;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const isStream = ({ headers }: IncomingMessage): boolean =>
  /event-stream|multipart/.test(String(headers['content-type']));

/** Reads the whole response, or the beginning of a stream. */
async function read(incoming: IncomingMessage): Promise<string> {
  const stop = isStream(incoming) ? setTimeout(() => incoming.destroy(), listenMs) : undefined;
  let text = '';
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>)
      if (text.length < maxBodyLength) text += chunk.toString('latin1');
  } catch {
    // The stream was cut off, so the text received so far is returned.
  }
  clearTimeout(stop);
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** Converts a request into raw bytes, for requests that Node's HTTP client can't send. */
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

/** The server can close the connection when it rejects a body before receiving all of it. */
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
  outgoing.setTimeout(timeoutMs, () => outgoing.destroy());
  outgoing.on('error', () => {
    // The server can close a keep-alive connection at the moment when the client reuses it.
    if (outgoing.reusedSocket && !isRepeated && performance.now() - began < timeoutMs)
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

/** Sends the chunks one after another and listens for a short time. The connection may close, and there may be no response. */
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

/** Sends a request and returns the response. Never rejects. */
export function send(url: URL, request: FuzzRequest): Promise<Answer> {
  if (request.kind === 'bytes') return sendBytes(url, request);
  try {
    return sendHttp(url, request);
  } catch {
    // Node's client rejects certain characters in headers and paths, which other clients send.
    return sendBytes(url, asBytes(request));
  }
}
