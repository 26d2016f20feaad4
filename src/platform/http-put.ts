import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SpanKind } from '@opentelemetry/api';
import { beginRequest, failureText, readAnswer } from './http-request.ts';
import { inSpan } from './tracing/spans.ts';

/** File upload to an external URL. */
export type Put = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the content of the file in chunks. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Maximum time in milliseconds without progress, including the time to connect. */
  readonly idleMs: number;
  /** Maximum duration of the upload in milliseconds, including the time to connect. */
  readonly mostMs: number;
  /** True if connections are allowed only to public addresses. */
  readonly isPublicOnly: boolean;
  /** Returns whether to store the response body from a receiver at this IP address, in addition to the status. */
  readonly isAnswerEmitted: (address: string) => boolean;
};

/** Request result: the status and the beginning of the body, or the reason why there was no response. The body is `null` if it isn't stored. */
export type PutResult = {
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
};

/** Minimum file size for `Expect: 100-continue`. It allows the receiver to reject a large file with a reason before the file is sent. */
const askedBytes = 1_048_576;

/** Maximum time in milliseconds to wait for `100 Continue`. Many receivers never send it. */
const askMs = 1_000;

/** Waits until the receiver sends `100 Continue` or a response, or the time limit is reached. */
async function isAnswered(request: ClientRequest, answer: Promise<IncomingMessage>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  request.once('continue', () => resolve(false));
  const timer = setTimeout(() => resolve(false), askMs);
  // Restarts the timer when the connection is established, so that the time to connect doesn't count.
  request.once('socket', (socket) => socket.once('connect', () => timer.refresh()));
  request.flushHeaders();
  try {
    return (await Promise.race([promise, answer])) !== false;
  } finally {
    clearTimeout(timer);
  }
}

const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** Uploads the file over a new connection and returns the result. Rejects if the connection or the source of the file fails. */
async function sent(
  { pieces, size, idleMs, isAnswerEmitted, ...target }: Put,
  signal: AbortSignal,
): Promise<PutResult> {
  const isAsked = size >= askedBytes;
  const headers = {
    ...target.headers,
    'Content-Length': String(size),
    ...(isAsked && { Expect: '100-continue' }),
  };
  const answer = Promise.withResolvers<IncomingMessage>();
  const request = beginRequest(
    { ...target, isConnectionKept: false },
    { method: 'PUT', headers, signal },
    answer.resolve,
  );
  request.on('error', answer.reject);
  request.setTimeout(idleMs, () => request.destroy(new Error(`Nothing moved for ${idleMs} ms.`)));
  answer.promise.catch(() => undefined);
  let sending: Promise<void> | null = null;
  try {
    if (!isAsked || !(await isAnswered(request, answer.promise))) {
      sending = pipeline(Readable.from(pieces(), { highWaterMark: 1 }), request);
      sending.catch(answer.reject);
    }
    const response = await answer.promise;
    // After a success, waits until all bytes are sent. After a rejection, stops sending.
    if (isSuccess(response.statusCode)) await sending;
    const isEmitted = isAnswerEmitted(response.socket.remoteAddress ?? '');
    const text = await readAnswer(response);
    return { status: response.statusCode ?? null, answer: isEmitted ? text : null, error: null };
  } finally {
    request.destroy();
    await sending?.catch(() => undefined);
  }
}

async function attempted(put: Put): Promise<PutResult> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), put.mostMs);
  const broken: { error?: unknown } = {};
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    const source = put.pieces()[Symbol.asyncIterator]();
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      try {
        return await source.next();
      } catch (error) {
        broken.error = error;
        throw error;
      }
    };
    try {
      // The generator throws only errors from the source of the file. Errors that are thrown into the generator are connection errors.
      for (let piece = await next(); piece.done !== true; piece = await next()) yield piece.value;
    } finally {
      await source.return?.();
    }
  };
  try {
    return await sent({ ...put, pieces }, late.signal);
  } catch (error) {
    if ('error' in broken) throw broken.error;
    const reason = late.signal.aborted ? `Not sent within ${put.mostMs} ms.` : failureText(error);
    return { status: null, answer: null, error: reason };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Uploads a file and returns the result. Never throws because of the receiver, and doesn't follow redirects. Reads the next chunk after the receiver
 * has accepted the previous one. A response that arrives before the end of the file stops the upload. Throws errors from `pieces`.
 */
export const put = (provided: Put): Promise<PutResult> =>
  inSpan(
    () => ({
      name: 'PUT',
      kind: SpanKind.CLIENT,
      attributes: { 'http.request.method': 'PUT', 'server.address': new URL(provided.url).hostname },
    }),
    () => attempted(provided),
    (span, { status, error }) => {
      if (status !== null) span.setAttribute('http.response.status_code', status);
      if (error !== null) span.setAttribute('error.type', error);
    },
  );
