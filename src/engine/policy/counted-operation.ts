import type { OperationLimit, OperationNode, TriedOperation } from '../../domain/limits/operation-limits.ts';
import type { Context } from '../../request/context.ts';
import { CommittedRejectionError } from '../execute.ts';
import { settleCount, takeCount } from './count-operation.ts';
import { MovedMoney } from './moved-money.ts';
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
  const counting = { node, limits, time: 'clock' } as const;
  const taken = await takeCount(ctx, counting, { calls: 1n, money: BigInt(money?.amount ?? 0) }, { errorOf });
  const moved = new MovedMoney();
  const settle = (calls: bigint, isAccepted: boolean): Promise<void> => {
    const actual = money === undefined ? 0n : amountOf(moved, money);
    return settleCount(ctx, counting, taken, { calls, money: actual, isAccepted });
  };
  try {
    const result = await runWatched(ctx, { moved }, work);
    await settle(1n, true);
    return result;
  } catch (error) {
    await settle(error instanceof CommittedRejectionError ? 1n : 0n, false);
    throw error;
  }
}
