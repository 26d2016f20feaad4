import { settledCrossings } from '../../domain/limits/operation-crossings.ts';
import type { OperationLimit, OperationNode, TriedOperation } from '../../domain/limits/operation-limits.ts';
import type { Context } from '../../request/context.ts';
import { inTransaction } from '../../request/transaction.ts';
import { CommittedRejectionError } from '../execute.ts';
import { correctOperation, type FoundCrossings, takeOperation } from './gauges.ts';
import { MovedMoney } from './moved-money.ts';
import { keepRejection, recordCrossings, withRejection } from './report-crossings.ts';
import { runWatched } from './watch.ts';

/** Money that an operation moves, in minor units. */
type Money = { readonly currency: string; readonly amount: number };

type Work<T> = {
  readonly work: (ctx: Context) => Promise<T>;
  /** Money of the previewed operation. Absent if no limit counts money. */
  readonly money?: Money | undefined;
  /** Returns the error of an operation that limits reject. */
  readonly errorOf: (rejecting: readonly TriedOperation[]) => Error;
};

const amountOf = (moved: MovedMoney, { currency }: Money): bigint =>
  BigInt(moved.totals().find((one) => one.currency === currency)?.amount ?? 0);

/**
 * Runs an operation that limits count, in the environment's time. The operation is counted before it starts, and no longer counted if it's
 * rejected without any change. The counted money is replaced with the money that the operation moved. An interrupted operation that continues
 * isn't counted again.
 */
export async function countedOperation<T>(
  ctx: Context,
  node: OperationNode,
  limits: readonly OperationLimit[],
  { work, money, errorOf }: Work<T>,
): Promise<T> {
  if (limits.length === 0 || ctx.resumeLog?.left != null) return work(ctx);
  const countedAt = ctx.clock.now();
  const amount = BigInt(money?.amount ?? 0);
  const counted = { delta: { calls: 1n, money: amount }, now: countedAt };
  const crossings: FoundCrossings = { node, found: [] };
  try {
    await inTransaction(ctx, async (tx) => {
      const rejecting = await takeOperation(tx.sql, node.id, limits, { ...counted, crossings });
      if (rejecting.length > 0) throw withRejection(errorOf(rejecting), { node, limits, ...counted });
    });
  } catch (error) {
    if (ctx.transaction === null) await keepRejection(ctx, error);
    throw error;
  }
  const moved = new MovedMoney();
  const settle = async (calls: bigint, isAccepted: boolean): Promise<void> => {
    const actual = money === undefined ? 0n : amountOf(moved, money);
    const delta = { calls, money: actual - amount };
    const [recorded, dropped] = settledCrossings(crossings.found, isAccepted);
    const isChanged = delta.calls !== 0n || delta.money !== 0n || dropped.length > 0;
    if (!isChanged && recorded.length === 0) return;
    await inTransaction(ctx, async (tx) => {
      const correction = { delta, countedAt, now: ctx.clock.now(), dropped };
      if (isChanged) await correctOperation(tx.sql, node.id, limits, correction);
      await recordCrossings(tx, node, recorded);
    });
  };
  try {
    const result = await runWatched(ctx, { moved }, work);
    await settle(0n, true);
    return result;
  } catch (error) {
    await settle(error instanceof CommittedRejectionError ? 0n : -1n, false);
    throw error;
  }
}
