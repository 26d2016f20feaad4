import type { IncomingMessage } from 'node:http';
import { SpanKind } from '@opentelemetry/api';
import { monotonicMs } from './clock.ts';
import { beginRequest, failureText, readAnswer } from './http-request.ts';
import { inSpan } from './tracing/spans.ts';

/** A body to post to an address of someone else. */
export type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long the receiver may take until its answer begins, connecting included. */
  readonly timeoutMs: number;
  /** Connect to public addresses only. */
  readonly isPublicOnly: boolean;
  /** Whether the answer of the receiver at an address is recorded, or its status alone. */
  readonly isAnswerEmitted: (address: string) => boolean;
};

/** The result: the status and the beginning of the answer, which is null where it is not recorded, or why there was none. */
export type PostResult = {
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly durationMs: number;
};

/** Sends the request and waits for the head of the answer. */
function send(post: Post, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { ...post.headers, 'Content-Length': String(Buffer.byteLength(post.body)) };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = beginRequest(post, { method: 'POST', headers, signal }, resolve);
  request.on('error', (error) => reject(Object.assign(error, { isReused: request.reusedSocket })));
  request.end(post.body);
  return promise;
}

/** A kept connection that the receiver closed at the very moment says nothing about the receiver. */
const isStaleConnection = (error: unknown): boolean =>
  error instanceof Error &&
  'isReused' in error &&
  error.isReused === true &&
  'code' in error &&
  /^(ECONNRESET|EPIPE)$/.test(String(error.code));

async function sendAgainIfStale(post: Post, signal: AbortSignal): Promise<IncomingMessage> {
  try {
    return await send(post, signal);
  } catch (error) {
    if (!isStaleConnection(error)) throw error;
    return send(post, signal);
  }
}

const reasonOf = (error: unknown, post: Post, isLate: boolean): string =>
  isLate ? `No answer within ${post.timeoutMs} ms.` : failureText(error);

/**
 * Posts and answers what became of it; never throws, and follows no redirect. With `isPublicOnly` the address is resolved once, rejected unless
 * all it leads to is public, and connected to as it was checked. An answer counts from its head on: its body is read to a limit, in the time left.
 */
export const post = (provided: Post): Promise<PostResult> =>
  inSpan(
    () => ({
      name: 'POST',
      kind: SpanKind.CLIENT,
      attributes: { 'http.request.method': 'POST', 'server.address': new URL(provided.url).hostname },
    }),
    () => posted(provided),
    (span, { status, error }) => {
      if (status !== null) span.setAttribute('http.response.status_code', status);
      if (error !== null) span.setAttribute('error.type', error);
    },
  );

async function posted(provided: Post): Promise<PostResult> {
  const began = monotonicMs();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), provided.timeoutMs);
  try {
    const response = await sendAgainIfStale(provided, late.signal);
    const isEmitted = provided.isAnswerEmitted(response.socket.remoteAddress ?? '');
    const text = await readAnswer(response);
    const answer = isEmitted ? text : null;
    return {
      status: response.statusCode ?? null,
      answer,
      error: null,
      durationMs: Math.round(monotonicMs() - began),
    };
  } catch (error) {
    const reason = reasonOf(error, provided, late.signal.aborted);
    return { status: null, answer: null, error: reason, durationMs: Math.round(monotonicMs() - began) };
  } finally {
    clearTimeout(timer);
  }
}
