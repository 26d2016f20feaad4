import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SpanKind } from '@opentelemetry/api';
import { beginRequest, failureText, readAnswer } from './http-request.ts';
import { inSpan } from './tracing/spans.ts';

/** A file to put to an address of someone else. */
export type Put = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes, of which a piece is held at a time. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
  /** How many bytes there are. */
  readonly size: number;
  /** How long the receiver may take nothing and say nothing, connecting included. */
  readonly idleMs: number;
  /** How long all of it may take. */
  readonly mostMs: number;
  /** Connect to public addresses only. */
  readonly isPublicOnly: boolean;
  /** Whether the answer of the receiver at an address is recorded, or its status alone. */
  readonly isAnswerEmitted: (address: string) => boolean;
};

/** The result: the status and the beginning of the answer, which is null where it is not recorded, or why there was none. */
export type PutResult = {
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
};

/** From this size on the receiver is asked whether it takes the file before it is sent: one that does not can then say why. */
const askedBytes = 1_048_576;

/** How long the receiver may take to say so; many never do. */
const askMs = 1_000;

/** Waits until the receiver asks for the body, answers without it, or says nothing for a while. */
async function isAnswered(request: ClientRequest, answer: Promise<IncomingMessage>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  request.once('continue', () => resolve(false));
  const timer = setTimeout(() => resolve(false), askMs);
  // The time to connect is not the receiver's time to think.
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

/** Sends the file over one connection and answers the result. Rejects with what went wrong on either side. */
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
    // A success counts once the receiver has all bytes; one that wants none is not sent the rest.
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
      // What is thrown into this one is the failure of the connection, not of the source.
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
 * Puts a file and answers what became of it; never throws for what the receiver does, and follows no redirect. Reads the next piece when the receiver has taken
 * the one before. An answer that comes before all was sent ends the sending. Throws what `pieces` throws.
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
