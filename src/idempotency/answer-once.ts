import type { Context } from '../request/context.ts';
import type { Answer } from './answer.ts';
import { aroundProviderCall } from './around-provider-call.ts';
import { inOneTransaction, ProviderCallNeededError } from './in-transaction.ts';
import type { KeyUse } from './key.ts';
import { afterRivals } from './rivals.ts';

type Work = (ctx: Context) => Promise<Answer>;

/**
 * Runs the operation in one transaction. If the operation needs to call a provider, the transaction is rolled back and the operation runs
 * between two transactions instead.
 */
async function inTransactionIfPossible(ctx: Context, use: KeyUse, work: Work): Promise<Answer> {
  try {
    return await inOneTransaction(ctx, use, work);
  } catch (error) {
    if (!(error instanceof ProviderCallNeededError)) throw error;
    return aroundProviderCall(ctx, use, work);
  }
}

/**
 * Executes a request with an idempotency key, or returns the response stored under the key. The operation and its key are written in one
 * transaction, or in two transactions before and after a provider call. A response that isn't final (401, 403, 429, 5xx) rolls back all
 * writes and releases the key. Usage operations use `answerInBatch` instead. Throws `idempotency_in_progress`, `idempotency_key_mismatch`,
 * and `idempotency_unavailable` without executing the operation.
 */
export function answerOnce(ctx: Context, use: KeyUse, work: Work): Promise<Answer> {
  if (use.strategy === 'batched') throw new Error('What is batched is answered in its batch.');
  const answer = use.strategy === 'around-provider-call' ? aroundProviderCall : inTransactionIfPossible;
  return afterRivals(ctx, use, () => answer(ctx, use, work));
}
