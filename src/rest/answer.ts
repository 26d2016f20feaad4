import type { ClientError } from '../graphql/errors.ts';

/** Status and body of an answer, before headers. */
export type Answer = {
  readonly status: number;
  readonly body: string;
  /** Seconds to wait, where trying again helps. */
  readonly retryAfter?: number;
  /** What was thrown, on a failure; never shown. */
  readonly cause?: unknown;
};

/** Headers of every answer of the process. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
} as const;

/** The error envelope: type, code, message, param and details where there are any, doc_url, and nothing else (PLT-70). */
export function failure(error: ClientError, cause?: unknown): Answer {
  const { status, retryAfter, ...shown } = error;
  return { status, body: JSON.stringify({ error: shown }), ...(retryAfter === undefined ? {} : { retryAfter }), cause };
}

/** An answer as it goes out. */
export type Reply = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** What goes out for an answer: the headers of every one, the request's id (PLT-60), and those of its own. */
export const replyOf = (requestId: string, { status, body, retryAfter }: Answer, headers?: Readonly<Record<string, string>>): Reply => ({
  status,
  headers: {
    'Content-Type': 'application/json',
    'X-Request-Id': requestId,
    ...securityHeaders,
    ...(retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) }),
    ...headers,
  },
  body,
});
