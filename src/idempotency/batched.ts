import type { Context } from '../context.ts';
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
import { type Answer, isFinal } from './answer.ts';
import { answerFound, explained } from './errors.ts';
import type { KeyUse } from './key.ts';
import { afterRivals } from './rivals.ts';

// Operations that record usage: their keys are claimed, and their results stored, in the transaction of the batch that records their events.

/** An operation that records usage, and its answer as a pure function of what was decided. */
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
 * Answers an operation that records usage, with a key or without. Events, key and answer are written together, or, where the answer is not
 * final, not at all. Throws `idempotency_in_progress`, `idempotency_key_mismatch` and `idempotency_unavailable`.
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
 * Records usage under a key and makes the answer after the commit, from what was decided: for an answer that reads more than that. With the events
 * their outcome is stored under the key; the same request finds the answer, or, where a process died before it was stored, makes it of the
 * outcome.
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
