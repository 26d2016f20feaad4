import { settledCrossings } from '../../domain/limits/operation-crossings.ts';
import {
  haveGauges,
  type OperationDelta,
  type OperationLimit,
  type OperationNode,
  type TriedOperation,
} from '../../domain/limits/operation-limits.ts';
import type { Context, TransactionContext } from '../../request/context.ts';
import { inTransaction } from '../../request/transaction.ts';
import { correctOperation, type FoundCrossings, takeOperation } from './gauges.ts';
import { keepRejection, recordCrossings, withRejection } from './report-crossings.ts';

/** Limits that count an operation of a node. The windows of API keys and members follow real time (`wall`), and others the environment's time. */
export type Counting = {
  readonly node: OperationNode;
  readonly limits: readonly OperationLimit[];
  readonly time: 'clock' | 'wall';
};

/** Counted operation, with the time and the crossings of the count. */
export type CountTaken = {
  readonly delta: OperationDelta;
  readonly at: Date;
  readonly crossings: FoundCrossings['found'];
};

/** Returns the current time in the time of the limits' windows. */
const nowOf = (ctx: Context, { time }: Counting): Date => ctx[time].now();

/** Runs `work` in a transaction. Counts in real time don't lock the test clock, and use an open transaction without a savepoint. */
function inAny<T>(
  ctx: Context,
  { time }: Counting,
  work: (tx: TransactionContext) => Promise<T>,
): Promise<T> {
  if (time === 'clock') return inTransaction(ctx, work);
  const { transaction } = ctx;
  return transaction === null
    ? inTransaction(ctx, work, { clockLock: 'none' })
    : work({ ...ctx, transaction });
}

type Admission = {
  /** Returns the error of an operation that limits reject. */
  readonly errorOf: (rejecting: readonly TriedOperation[]) => Error;
  /** Throws the error of an operation that all limits accept, but that isn't admitted. */
  readonly admit?: (tx: TransactionContext, tried: readonly TriedOperation[], at: Date) => Promise<void>;
  /** Stores the effects of an error after its rollback. */
  readonly keep?: (error: unknown) => Promise<void>;
};

/** Counts an operation before it starts. Throws the error of the admission if limits reject the operation, which then isn't counted. */
export async function takeCount(
  ctx: Context,
  counting: Counting,
  delta: OperationDelta,
  { errorOf, admit, keep }: Admission,
): Promise<CountTaken> {
  const { node, limits } = counting;
  const at = nowOf(ctx, counting);
  const counted = { delta, now: at };
  const crossings: FoundCrossings = { node, found: [] };
  try {
    await inAny(ctx, counting, async (tx) => {
      const isAdmitted = async (tried: readonly TriedOperation[]): Promise<boolean> => {
        await admit?.(tx, tried, at);
        return true;
      };
      const rejecting = await takeOperation(tx.sql, node.id, limits, { ...counted, crossings, isAdmitted });
      if (rejecting.length > 0) throw withRejection(errorOf(rejecting), { node, limits, ...counted });
    });
  } catch (error) {
    // Inside an outer transaction, the effects are stored after the rollback of that transaction.
    if (ctx.transaction === null) {
      await keep?.(error);
      await keepRejection(ctx, error);
    }
    throw error;
  }
  return { delta, at, crossings: crossings.found };
}

/**
 * Replaces a count with the result of the operation, and records the crossings of an accepted operation. `also` runs in the same transaction.
 */
export async function settleCount(
  ctx: Context,
  counting: Counting,
  { delta: counted, at, crossings }: CountTaken,
  { isAccepted, ...actual }: OperationDelta & { readonly isAccepted: boolean },
  also?: (tx: TransactionContext) => Promise<void>,
): Promise<void> {
  const { node, limits } = counting;
  const [recorded, dropped] = settledCrossings(crossings, isAccepted);
  const delta = { calls: actual.calls - counted.calls, money: actual.money - counted.money };
  const isMoved = delta.calls !== 0n || delta.money !== 0n;
  const isChanged = (isMoved && haveGauges(limits)) || dropped.length > 0;
  if (!isChanged && recorded.length === 0 && also === undefined) return;
  await inAny(ctx, counting, async (tx) => {
    const correction = { delta, countedAt: at, now: nowOf(tx, counting), dropped };
    if (isChanged) await correctOperation(tx.sql, node.id, limits, correction);
    await recordCrossings(tx, node, recorded);
    await also?.(tx);
  });
}
