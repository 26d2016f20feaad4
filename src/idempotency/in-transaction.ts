import { OutsideCallError } from '../engine/commit.ts';
import { keepApproval } from '../engine/policy/approvals.ts';
import { keepRejection } from '../engine/policy/report-crossings.ts';
import { storeAnswer } from '../platform/idempotency.ts';
import type { Context } from '../request/context.ts';
import { inOuterTransaction } from '../request/transaction.ts';
import { type Answer, isFinal } from './answer.ts';
import { claim } from './claim.ts';
import { explained } from './errors.ts';
import type { KeyUse } from './key.ts';

/**
 * Error thrown to roll back the outer transaction and return the response to the caller. `cause` contains the original error, so that the
 * database layer recognizes deadlocks and retries.
 */
class Released extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('The key is released.', { cause: answer.cause });
    this.answer = answer;
  }
}

/** Error thrown if the operation needs to call a provider, which isn't possible inside a transaction. All writes are rolled back. */
export class ProviderCallNeededError extends Error {
  override name = 'ProviderCallNeededError';
}

/**
 * Claims the key, runs the operation, and stores the response in one transaction. Throws ProviderCallNeededError if the operation needs to
 * call a provider.
 */
export async function inOneTransaction(
  ctx: Context,
  use: KeyUse,
  work: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  const { app } = ctx;
  let hasBegun = false;
  try {
    return await inOuterTransaction(ctx, async (outer) => {
      hasBegun = false;
      const claimed = await claim(outer, use);
      if ('answer' in claimed) return claimed.answer;
      if (claimed.left !== null) throw new ProviderCallNeededError();
      hasBegun = true;
      const answer = await work(outer);
      if (answer.cause instanceof OutsideCallError) throw new ProviderCallNeededError();
      if (!isFinal(answer)) throw new Released(answer);
      await storeAnswer(
        outer.transaction.query,
        use.scope,
        use.key,
        answer,
        use.isSecret ? app.secrets : null,
      );
      return answer;
    });
  } catch (error) {
    if (error instanceof Released) {
      await keepApproval(ctx, error.answer.cause);
      await keepRejection(ctx, error.answer.cause);
      return error.answer;
    }
    if (error instanceof ProviderCallNeededError) throw error;
    throw await explained(ctx, use, error, hasBegun);
  }
}
