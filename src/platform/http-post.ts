import type { IncomingMessage } from 'node:http';
import { SpanKind } from '@opentelemetry/api';
import { monotonicMs } from './clock.ts';
import { beginRequest, failureText, readAnswer } from './http-request.ts';
import { inSpan } from './tracing/spans.ts';

/** POST request to an external URL. */
export type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Maximum time until the response headers arrive, including the connection, in milliseconds. */
  readonly timeoutMs: number;
  /** True if connections are allowed only to public addresses. */
  readonly isPublicOnly: boolean;
  /** Returns whether to store the response body from a receiver at this IP address, in addition to the status. */
  readonly isAnswerEmitted: (address: string) => boolean;
};

/** Request result: the status and the beginning of the body, or the reason why there was no response. The body is `null` if it isn't stored. */
export type PostResult = {
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly durationMs: number;
};

/** Sends a POST request and returns the response after its headers have arrived. */
function send(post: Post, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { ...post.headers, 'Content-Length': String(Buffer.byteLength(post.body)) };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = beginRequest(post, { method: 'POST', headers, signal }, resolve);
  request.on('error', (error) => reject(Object.assign(error, { isReused: request.reusedSocket })));
  request.end(post.body);
  return promise;
}

/** True if the receiver closed a reused connection just before the request was sent. Then the request can be retried. */
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
 * Sends a POST request and returns the result. Never throws, and doesn't follow redirects. With `isPublicOnly`, the host is resolved once,
 * all of its addresses must be public, and the connection uses a checked address. The status in the response headers determines the result.
 * The body is read up to a limit in the remaining time.
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
