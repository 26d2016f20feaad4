import type { UsageRequest } from '../domain/usage/record.ts';
import { CommittedRejectionError } from '../engine/execute.ts';
import {
  BatchError,
  type BatchResult,
  type UsageOutcome,
  type UsageResponse,
} from '../engine/usage/operation.ts';
import { recordInBatch } from '../engine/usage/queue.ts';
import { outcomeOf, recordOf } from '../engine/usage/stored-outcome.ts';
import type { WithinPolicy } from '../graphql/declare/access.ts';
import { type FoundKey, findKeysInUse, storeAnswer } from '../platform/idempotency.ts';
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

/** Returns the earlier use of a key. `null` if the key is unused. */
async function earlierUse({ app, wall }: Context, use: KeyUse): Promise<FoundKey | null> {
  const terms = { now: wall.now(), lockTimeoutMs: app.config.idempotencyLockTimeoutMs };
  const found = await app.database.transaction(({ query }) =>
    findKeysInUse(query, use.scope, [use], terms, app.secrets),
  );
  return found.get(use.key) ?? null;
}

/** Thrown to release what a policy counted for an operation that changed nothing, or that an earlier request recorded. */
class UncountedAnswer extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('The operation changed nothing.');
    this.answer = answer;
  }
}

/**
 * Records usage within the policy of the calling API key, and returns the response. A repeated request returns the stored response without being
 * counted again. `within` is `null` if the caller has no policy.
 */
async function answerWithin<R>(
  ctx: Context,
  use: KeyUse | null,
  within: WithinPolicy | null,
  {
    recorded,
    answerOf,
  }: {
    readonly recorded: () => Promise<BatchResult<R>>;
    readonly answerOf: (recorded: BatchResult<R>) => Promise<Answer>;
  },
): Promise<Answer> {
  if (within === null) return answerOf(await recorded());
  const found = use === null ? null : await earlierUse(ctx, use);
  if (found !== null) return answerOf({ found });
  try {
    return await within(ctx, async () => {
      const result = await recorded();
      const answer = await answerOf(result);
      const isRejected = answer.status >= 400 && !(answer.cause instanceof CommittedRejectionError);
      if ('found' in result || isRejected) throw new UncountedAnswer(answer);
      return answer;
    });
  } catch (error) {
    if (error instanceof UncountedAnswer) return error.answer;
    throw error;
  }
}

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
  within: WithinPolicy | null,
  { requests, answerOf }: BatchedWork,
): Promise<Answer> {
  const respond = (outcome: UsageOutcome): UsageResponse<Answer> => {
    const value = answerOf(outcome);
    return { value, stored: use === null ? null : { answer: value }, isUndone: !isFinal(value) };
  };
  const work = {
    recorded: async (): Promise<BatchResult<Answer>> =>
      use === null && requests.length === 0
        ? { value: answerOf({ results: [], hasChanges: false }) }
        : record(ctx, use, requests, respond),
    answerOf: async (recorded: BatchResult<Answer>) =>
      'found' in recorded ? answerFound(recorded.found) : recorded.value,
  };
  const answer = (): Promise<Answer> => answerWithin(ctx, use, within, work);
  return use === null ? answer() : afterRivals(ctx, use, answer);
}

/**
 * Records usage under a key and builds the response after the commit, because the response requires additional data. The outcome is stored
 * together with the events. If the process crashes before the response is stored, a retry builds the response from the outcome.
 */
export function recordThenAnswer(
  ctx: Context,
  use: KeyUse,
  within: WithinPolicy | null,
  requests: readonly UsageRequest[],
  answerOf: (outcome: UsageOutcome) => Promise<Answer>,
): Promise<Answer> {
  const respond = (outcome: UsageOutcome): UsageResponse<UsageOutcome> => ({
    value: outcome,
    stored: { recorded: recordOf(outcome) },
    isUndone: false,
  });
  const answerTo = async (recorded: BatchResult<UsageOutcome>): Promise<Answer> => {
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
  };
  const work = { recorded: () => record(ctx, use, requests, respond), answerOf: answerTo };
  return afterRivals(ctx, use, () => answerWithin(ctx, use, within, work));
}
