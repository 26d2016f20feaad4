import { nextAttemptAt } from '../../../domain/webhooks.ts';
import type { PostResult } from '../../../platform/http-post.ts';
import { isSuccess, logOf } from '../send.ts';
import type { AttemptRecord, DeliveryRow } from '../store.ts';

/** An attempt that was made: of which delivery, when it began, and what the receiver said. */
export type Attempt = { readonly delivery: DeliveryRow; readonly begunAt: Date; readonly result: PostResult };

/** What an attempt makes of its delivery: the next one is due after it, or it ended at `now` (PLT-44). */
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
