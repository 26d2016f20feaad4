import { nextAttemptAt } from '../../../../domain/events/webhooks.ts';
import type { PostResult } from '../../../../platform/http-post.ts';
import { isSuccess, logOf } from '../send.ts';
import type { AttemptRecord, DeliveryRow } from '../store.ts';

/** Completed delivery attempt: the delivery, the start time, and the result. */
export type Attempt = { readonly delivery: DeliveryRow; readonly begunAt: Date; readonly result: PostResult };

/**
 * Returns the record of an attempt: either the next attempt is scheduled, or the delivery ends at `now`
 * (PLT-44).
 */
export function recordOf({ delivery, begunAt, result }: Attempt, now: Date): AttemptRecord {
  const attempts = delivery.attempts + 1;
  const next = isSuccess(result) ? null : nextAttemptAt(attempts, begunAt);
  const failure = next === null ? 'failed' : 'pending';
  return {
    id: delivery.id,
    status: isSuccess(result) ? 'succeeded' : failure,
    attempts,
    nextAttemptAt: next,
    lastAttemptAt: begunAt,
    responseStatus: result.status,
    responseBody: result.answer,
    error: result.error,
    durationMs: result.durationMs,
    finishedAt: next === null ? now : null,
    logged: logOf(begunAt, result),
  };
}
