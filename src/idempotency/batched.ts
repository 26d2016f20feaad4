import type { UsageRequest } from '../domain/usage/record.ts';
import {
  BatchError,
  type BatchResult,
  type UsageOutcome,
  type UsageResponse,
} from '../engine/usage/operation.ts';
import { recordInBatch } from '../engine/usage/queue.ts';
import { outcomeOf, recordOf } from '../engine/usage/stored-outcome.ts';
import { storeAnswer } from '../platform/idempotency.ts';
import type { Context } from '../request/context.ts';
import { type Answer, isFinal } from './answer.ts';
import { answerFound, explained } from './errors.ts';
import type { KeyUse } from './key.ts';
import { afterRivals } from './rivals.ts';

// Idempotency for usage operations. The keys, results, and events of a batch are written in the same transaction.

/** Operation that records usage. The response must depend only on the outcome. */
export type BatchedWork = {
  readonly requests: readonly UsageRequest[];
  readonly answerOf: (outcome: UsageOutcome) => Answer;
};

async function record<R>(
  ctx: Context,
  use: KeyUse | null,
  requests: readonly UsageRequest[],
  respond: (outcome: UsageOutcome) => UsageResponse<R>,
): Promise<BatchResult<R>> {
  try {
    return await recordInBatch(ctx, { key: use, requests, respond });
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    throw use === null ? error.cause : await explained(ctx, use, error.cause, error.hasBegun);
  }
}

/**
 * Executes a usage operation, with or without an idempotency key. Events, key, and response are written together. If the response isn't
 * final, nothing is written. Throws `idempotency_in_progress`, `idempotency_key_mismatch`, and `idempotency_unavailable`.
 */
export async function answerInBatch(
  ctx: Context,
  use: KeyUse | null,
  { requests, answerOf }: BatchedWork,
): Promise<Answer> {
  const answer = async (): Promise<Answer> => {
    const recorded = await record(ctx, use, requests, (outcome) => {
      const value = answerOf(outcome);
      return { value, stored: use === null ? null : { answer: value }, isUndone: !isFinal(value) };
    });
    return 'found' in recorded ? answerFound(recorded.found) : recorded.value;
  };
  if (use !== null) return afterRivals(ctx, use, answer);
  return requests.length === 0 ? answerOf({ results: [], hasChanges: false }) : answer();
}

/**
 * Records usage under a key and builds the response after the commit, because the response requires additional data. The outcome is stored
 * together with the events. If the process crashes before the response is stored, a retry builds the response from the outcome.
 */
export const recordThenAnswer = (
  ctx: Context,
  use: KeyUse,
  requests: readonly UsageRequest[],
  answerOf: (outcome: UsageOutcome) => Promise<Answer>,
): Promise<Answer> =>
  afterRivals(ctx, use, async () => {
    const recorded = await record(ctx, use, requests, (outcome) => ({
      value: outcome,
      stored: { recorded: recordOf(outcome) },
      isUndone: false,
    }));
    const isUnanswered =
      'found' in recorded && recorded.found.state === 'left' && recorded.found.recorded !== null;
    if ('found' in recorded && !isUnanswered) return answerFound(recorded.found);
    try {
      const outcome = 'found' in recorded ? await outcomeOf(ctx, recorded.found) : recorded.value;
      const answer = await answerOf(outcome);
      if (isFinal(answer))
        await ctx.app.database.transaction(({ query }) =>
          storeAnswer(query, use.scope, use.key, answer, null),
        );
      return answer;
    } catch (error) {
      throw await explained(ctx, use, error, true);
    }
  });
