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

/** The error envelope: type, code, message, param and details where there are any, doc_url, and nothing else (PLT-70). */
export function failure(error: ClientError, cause?: unknown): Answer {
  const { status, retryAfter, ...shown } = error;
  return { status, body: JSON.stringify({ error: shown }), ...(retryAfter === undefined ? {} : { retryAfter }), cause };
}
