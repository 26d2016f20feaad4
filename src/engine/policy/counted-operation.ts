import type { OperationLimit, TriedOperation } from '../../domain/limits/operation-limits.ts';
import type { Context } from '../../request/context.ts';
import { inTransaction } from '../../request/transaction.ts';
import { CommittedRejectionError } from '../execute.ts';
import { correctOperation, takeOperation } from './gauges.ts';

type Work<T> = {
  readonly work: () => Promise<T>;
  /** Returns the error of an operation that limits reject. */
  readonly errorOf: (rejecting: readonly TriedOperation[]) => Error;
};

/**
 * Runs an operation that limits count, in the environment's time. The operation is counted before it starts, and no longer counted if it's
 * rejected without any change. An interrupted operation that continues isn't counted again.
 */
export async function countedOperation<T>(
  ctx: Context,
  nodeId: string,
  limits: readonly OperationLimit[],
  { work, errorOf }: Work<T>,
): Promise<T> {
  if (limits.length === 0 || ctx.resumeLog?.left != null) return work();
  const countedAt = ctx.clock.now();
  await inTransaction(ctx, async (tx) => {
    const counted = { delta: { calls: 1n, money: 0n }, now: countedAt };
    const rejecting = await takeOperation(tx.sql, nodeId, limits, counted);
    if (rejecting.length > 0) throw errorOf(rejecting);
  });
  return work().catch(async (error: unknown) => {
    const delta = { calls: -1n, money: 0n };
    if (!(error instanceof CommittedRejectionError))
      await inTransaction(ctx, (tx) =>
        correctOperation(tx.sql, nodeId, limits, { delta, countedAt, now: ctx.clock.now() }),
      );
    throw error;
  });
}
