import { rateHeaders, windowHeaders } from '../admission.ts';
import type { RequestContext } from '../context.ts';
import { type ClientError, clientError, errorContextOf } from '../graphql/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { Answer } from '../idempotency/answer.ts';

export type { Answer } from '../idempotency/answer.ts';

/** The error envelope: type, code, message, param and details where there are any, doc_url, and nothing else (PLT-70). */
export function failure(error: ClientError, cause?: unknown): Answer {
  const { status, retryAfter, ...shown } = error;
  return {
    status,
    body: JSON.stringify({ error: shown }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause,
  };
}

/** An answer as it goes out, with headers of its own. */
export const replyTo = (
  { status, body, retryAfter }: Answer,
  headers?: Readonly<Record<string, string>>,
): Reply => ({
  status,
  headers: {
    'Content-Type': 'application/json',
    ...(retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) }),
    ...headers,
  },
  body,
});

/** The answer to a failure. */
export const failedReply = (ctx: RequestContext, error: unknown): Reply =>
  replyTo(failure(clientError(error, errorContextOf(ctx)), error), {
    ...windowHeaders(ctx),
    ...rateHeaders(error),
  });
