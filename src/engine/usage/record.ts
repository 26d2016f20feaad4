import type { Context } from '../../context.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import { BatchError, type PreparedUsage, type UsageOutcome } from './operation.ts';
import { recordInBatch } from './queue.ts';

/**
 * Records usage events in the order given, each whole or not at all, together with what else is recorded in the environment at the time, in
 * one transaction and a handful of statements whatever their number (CON-6 to CON-13). Rejections are returned, not thrown; each request finds
 * what those before it left. Throws DatabaseBusyError when too much waits already.
 */
export async function recordUsage(ctx: Context, requests: readonly UsageRequest[]): Promise<UsageOutcome> {
  if (ctx.transaction !== null) throw new Error('Usage is recorded in transactions of its own.');
  const respond = (outcome: UsageOutcome) => ({ value: outcome, stored: null, isUndone: false });
  try {
    const recorded = await recordInBatch(ctx, { key: null, requests, respond });
    if ('found' in recorded) throw new Error('An operation without a key finds none.');
    return recorded.value;
  } catch (error) {
    throw error instanceof BatchError ? error.cause : error;
  }
}

/** Records what was prepared, and answers its result. Throws the rejection where the result is one. */
export const recordPrepared = async <R>(ctx: Context, { requests, resultOf }: PreparedUsage<R>): Promise<R> =>
  resultOf(await recordUsage(ctx, requests));
