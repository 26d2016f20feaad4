import { OutsideCallError } from '../engine/commit.ts';
import { CollectedEffects, previewTimeoutMs, simulatedApp } from '../engine/policy/preview.ts';
import { readWritten, type WrittenEffects } from '../engine/preview/written.ts';
import type { UsageOutcome } from '../engine/usage/operation.ts';
import { predictUsage } from '../engine/usage/predict.ts';
import type { Access, WithinPolicy } from '../graphql/declare/access.ts';
import type { RestRoute } from '../graphql/declare/rest.ts';
import { takeNumbers } from '../outbox/write.ts';
import { fixedClock } from '../platform/clock.ts';
import type { Context } from '../request/context.ts';
import { inOuterTransaction } from '../request/transaction.ts';
import type { Answer } from './answer.ts';
import type { BatchedWork } from './batched.ts';

// Dry runs: the response, events and charges of a mutation, without its effects. The mutation runs with simulated payment
// providers in a transaction that is always rolled back.

/**
 * Effects of a mutation. `isSimulated` is `false` if the mutation calls a service outside the database, so that only the access
 * and the input were checked.
 */
type Effects = WrittenEffects & {
  readonly isSimulated: boolean;
  /** Hash of the operation, its arguments, and its effects. Absent if the operation can't be simulated, and for usage. */
  readonly previewHash?: string;
};

const notSimulated: Effects = { isSimulated: false, events: [], money: [] };

/** Thrown to roll back the transaction of a dry run. */
class RolledBack extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('The dry run is rolled back.');
    this.answer = answer;
  }
}

const isSuccess = ({ status }: Answer): boolean => status < 400;

/** Adds the effects to a successful response. An error response stays unchanged. */
function withEffects(answer: Answer, effects: Effects): Answer {
  if (!isSuccess(answer)) return answer;
  const body = JSON.parse(answer.body) as object | null;
  return { ...answer, body: JSON.stringify({ ...body, dryRun: effects }) };
}

/**
 * Runs a mutation and returns its response with the events and payments that it would cause. Rolls everything back. A failed
 * mutation returns its error. IDs of created objects are invalid after the dry run.
 */
export async function dryRun(
  ctx: Context,
  { rest, access }: { readonly rest?: RestRoute | undefined; readonly access: Access },
  work: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  const onlyChecked = { status: 200, body: JSON.stringify({ dryRun: notSimulated }) };
  // Public operations have no environment, and `around-provider-call` operations call another service between two transactions.
  if ('anonymous' in access || rest?.idempotency === 'around-provider-call') return onlyChecked;
  try {
    return await inOuterTransaction(
      ctx,
      async (outer) => {
        // The lock on the counter row prevents concurrent transactions from using the same numbers.
        const { seq, position } = await takeNumbers(outer.transaction.query, outer.environment.id, {});
        const now = outer.wall.now();
        const wall = fixedClock(now);
        const businessNow = outer.environment.simulatedTime ?? now;
        const effects = new CollectedEffects(businessNow);
        // Fields of the response have the time of the writes, so that a new object is valid in the response.
        const clock = fixedClock(businessNow);
        const answer = await work({ ...outer, app: simulatedApp(outer.app), wall, clock, effects });
        if (answer.cause instanceof OutsideCallError) throw new RolledBack(onlyChecked);
        if (!isSuccess(answer)) throw new RolledBack(answer);
        const written = await readWritten(outer, seq, position);
        const { hash: previewHash } = effects.result();
        throw new RolledBack(withEffects(answer, { isSimulated: true, ...written, previewHash }));
      },
      { timeoutMs: previewTimeoutMs },
    );
  } catch (error) {
    if (error instanceof RolledBack) return error.answer;
    throw error;
  }
}

/** Usage to predict, and the function that builds the response, which can require additional data. */
type PredictedWork = Pick<BatchedWork, 'requests'> & {
  readonly answerOf: (outcome: UsageOutcome) => Answer | Promise<Answer>;
};

async function predicted(ctx: Context, { requests, answerOf }: PredictedWork): Promise<Answer> {
  const { outcome, events } = await predictUsage(ctx, requests);
  const simulated = {
    isSimulated: true,
    events: events.map(({ kind, data }) => ({ kind, data })),
    money: [],
  };
  return withEffects(await answerOf(outcome), simulated);
}

/**
 * Returns the response to usage events and the events that they would cause, without recording them. `within` is the policy of the calling
 * API key, which counts nothing. `null` if the caller has no policy.
 */
export async function dryRunUsage(
  ctx: Context,
  within: WithinPolicy | null,
  work: PredictedWork,
): Promise<Answer> {
  if (within === null) return predicted(ctx, work);
  try {
    return await inOuterTransaction(
      ctx,
      async (outer) => {
        const effects = new CollectedEffects(outer.environment.simulatedTime ?? outer.wall.now());
        throw new RolledBack(await within({ ...outer, effects }, (inner) => predicted(inner, work)));
      },
      { timeoutMs: previewTimeoutMs },
    );
  } catch (error) {
    if (error instanceof RolledBack) return error.answer;
    throw error;
  }
}
