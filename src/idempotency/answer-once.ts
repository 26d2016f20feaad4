import type { Context } from '../context.ts';
import type { Answer } from './answer.ts';
import { aroundProviderCall } from './around-provider-call.ts';
import { inOneTransaction, ProviderCallNeededError } from './in-transaction.ts';
import type { KeyUse } from './key.ts';
import { afterRivals } from './rivals.ts';

type Work = (ctx: Context) => Promise<Answer>;

/** Works in one transaction, or, where that turns out to need the outside world, between two. */
async function inTransactionIfPossible(ctx: Context, use: KeyUse, work: Work): Promise<Answer> {
  try {
    return await inOneTransaction(ctx, use, work);
  } catch (error) {
    if (!(error instanceof ProviderCallNeededError)) throw error;
    return aroundProviderCall(ctx, use, work);
  }
}

/**
 * Answers a request that carries an idempotency key: the stored answer when there is one, else that of `work`, which runs in one transaction with
 * the record of it, or between two when it calls the outside world. Everything `work` wrote is undone when its answer is not
 * final: 401, 403, 429 and 5xx release the key. Operations that record usage are answered by `answerInBatch`.
 * Throws `idempotency_in_progress`, `idempotency_key_mismatch` and `idempotency_unavailable`; then nothing was executed.
 */
export function answerOnce(ctx: Context, use: KeyUse, work: Work): Promise<Answer> {
  if (use.strategy === 'batched') throw new Error('What is batched is answered in its batch.');
  const answer = use.strategy === 'around-provider-call' ? aroundProviderCall : inTransactionIfPossible;
  return afterRivals(ctx, use, () => answer(ctx, use, work));
}
