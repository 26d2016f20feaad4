import type { UsageRequest } from '../../domain/usage/record.ts';
import type { Context } from '../../request/context.ts';
import { BatchError, type PreparedUsage, type UsageOutcome } from './operation.ts';
import { recordInBatch } from './queue.ts';

/**
 * Records usage events in order. Each event is either recorded completely or rejected. Shares a transaction
 * with other usage in the environment and uses a constant number of statements (CON-6 to CON-13). Returns
 * rejections instead of throwing them. Each request takes the effects of earlier requests into account.
 * Throws `DatabaseBusyError` if the queue is full.
 */
export async function recordUsage(ctx: Context, requests: readonly UsageRequest[]): Promise<UsageOutcome> {
  if (ctx.transaction !== null) throw new Error("Usage must not be recorded inside a caller's transaction.");
  const respond = (outcome: UsageOutcome) => ({ value: outcome, stored: null, isUndone: false });
  try {
    const recorded = await recordInBatch(ctx, { key: null, requests, respond });
    if ('found' in recorded) throw new Error("An operation without a key can't have an earlier result.");
    return recorded.value;
  } catch (error) {
    throw error instanceof BatchError ? error.cause : error;
  }
}

/** Records prepared usage and returns its result. Throws if the usage is rejected. */
export const recordPrepared = async <R>(ctx: Context, { requests, resultOf }: PreparedUsage<R>): Promise<R> =>
  resultOf(await recordUsage(ctx, requests));
