import { type ClientError, clientError, errorContextOf } from '../graphql/declare/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { Answer } from '../idempotency/answer.ts';
import { rateHeaders, windowHeaders } from '../request/admission.ts';
import type { RequestContext } from '../request/context.ts';

export type { Answer } from '../idempotency/answer.ts';

/** Returns the error envelope with `type`, `code`, `message` and `doc_url`, and optionally `param` and `details` (PLT-70). */
export function failure(error: ClientError, cause?: unknown): Answer {
  const { status, retryAfter, ...shown } = error;
  return {
    status,
    body: JSON.stringify({ error: shown }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause,
  };
}

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

export const failedReply = (ctx: RequestContext, error: unknown): Reply =>
  replyTo(failure(clientError(error, errorContextOf(ctx)), error), {
    ...windowHeaders(ctx),
    ...rateHeaders(error),
  });
