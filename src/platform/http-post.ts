import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SpanKind } from '@opentelemetry/api';
import { monotonicMs } from './clock.ts';
import { publicLookup, rejectLocalLiteral } from './public-address.ts';
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

/** How much of an answer is kept, in characters. */
const keptCharacters = 1_000;

/** How much of an answer is read, so that its connection can be used again; a longer one costs its connection. */
const readBytes = 16_384;

// Connections are kept for the next post to the same receiver. Those that may lead anywhere are kept apart from those that were checked.
const settings = { keepAlive: true, maxFreeSockets: 64, timeout: 30_000 };
const agents = {
  open: { http: new HttpAgent(settings), https: new HttpsAgent(settings) },
  publicOnly: {
    http: new HttpAgent({ ...settings, lookup: publicLookup }),
    https: new HttpsAgent({ ...settings, lookup: publicLookup }),
  },
};

/** The beginning of a text as it can be stored: no null characters, no broken ones. */
const storable = (text: string): string =>
  [...text.replaceAll('\u0000', '')].slice(0, keptCharacters).join('').toWellFormed();

/** Reads an answer to its end or to the limit, whichever comes first; what breaks off midway counts as its end. */
async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > readBytes) break;
    }
  } catch {
    // The status has been reported; the rest of the answer decides nothing.
  }
  return storable(Buffer.concat(chunks).subarray(0, readBytes).toString('utf8'));
}

/** Sends the request and waits for the head of the answer. */
function send(post: Post, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(post.url);
  if (post.isPublicOnly) rejectLocalLiteral(url);
  const isTls = url.protocol === 'https:';
  const { http, https } = post.isPublicOnly ? agents.publicOnly : agents.open;
  const options: RequestOptions = {
    method: 'POST',
    agent: isTls ? https : http,
    headers: { ...post.headers, 'Content-Length': String(Buffer.byteLength(post.body)) },
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (isTls ? httpsRequest : httpRequest)(url, options, resolve);
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

const reasonOf = (error: unknown, post: Post, isLate: boolean): string => {
  if (isLate) return `No answer within ${post.timeoutMs} ms.`;
  const text =
    error instanceof Error
      ? error.message || String('code' in error ? error.code : error.name)
      : String(error);
  return storable(text);
};

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
