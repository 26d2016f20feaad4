import type { Context } from '../context.ts';
import { OutsideCallError } from '../engine/commit.ts';
import { storeAnswer } from '../platform/idempotency.ts';
import { inOuterTransaction } from '../transaction.ts';
import { type Answer, isFinal } from './answer.ts';
import { claim } from './claim.ts';
import { explained } from './errors.ts';
import type { KeyUse } from './key.ts';

/** Undoes the outer transaction and carries the answer out of it. Its cause lets the database see a deadlock, which is tried again. */
class Released extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('The key is released.', { cause: answer.cause });
    this.answer = answer;
  }
}

/** The operation turned out to call the outside world, and has to run between two transactions instead. Nothing is kept. */
export class ProviderCallNeededError extends Error {
  override name = 'ProviderCallNeededError';
}

/**
 * Claims the key, works and stores the answer in one transaction. Throws ProviderCallNeededError where the operation needs the outside world.
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
    if (error instanceof Released) return error.answer;
    if (error instanceof ProviderCallNeededError) throw error;
    throw await explained(ctx, use, error, hasBegun);
  }
}
