import { errorDetails, QuittanceError, specificError } from '../../domain/errors/errors.ts';
import {
  allowsOperation,
  type KeyPolicy,
  limitsMoney,
  type NamedOperation,
  needsApproval,
  openPolicy,
  policyLimits,
} from '../../domain/limits/key-policy.ts';
import {
  haveGauges,
  isWithinLimit,
  type OperationLimit,
  operationEntry,
  type TriedOperation,
} from '../../domain/limits/operation-limits.ts';
import { findArea } from '../../graphql/declare/areas.ts';
import type { Context, Effects, Guard, GuardedOperation, TransactionContext } from '../../request/context.ts';
import { inTransaction } from '../../request/transaction.ts';
import { CommittedRejectionError } from '../execute.ts';
import { ApprovalNeededError, keepApproval, returnApproval, takeApproval } from './approvals.ts';
import { madeResult, takeForRun } from './approved-runs.ts';
import { checkChangedCustomers, checkNamedCustomers } from './check-customers.ts';
import { correctOperation, takeOperation } from './gauges.ts';
import { MovedMoney } from './moved-money.ts';
import { amountInUsd, type Previewed, previewOperation } from './preview.ts';

/** Policy of the key that calls an operation. */
type Called = {
  readonly apiKeyId: string;
  readonly policy: KeyPolicy;
  readonly operation: GuardedOperation;
  readonly named: NamedOperation;
  readonly limits: readonly OperationLimit[];
};

/** Counted operation. `amount` is the counted money in US cents. */
type Counted = { readonly amount: bigint; readonly at: Date; readonly approvalId: string | null };

/** Runs `work` in the open transaction, or in a new transaction if none is open. */
const inAny = <T>(ctx: Context, work: (tx: TransactionContext) => Promise<T>): Promise<T> => {
  const { transaction } = ctx;
  return transaction === null
    ? inTransaction(ctx, work, { clockLock: 'none' })
    : work({ ...ctx, transaction });
};

const entriesOf = (tried: readonly TriedOperation[], key: string) =>
  tried.map((one) => operationEntry(one, { kind: 'apiKey', key }));

/** Returns the error of an operation that limits of the policy reject. */
function policyError(rejecting: readonly TriedOperation[], key: string): QuittanceError {
  const isMoney = rejecting[0]?.limit.measure === 'money';
  const reason = isMoney ? 'policy_amount' : 'policy_operation';
  const details = { reason, limits: entriesOf(rejecting, key) };
  return isMoney
    ? specificError('forbidden', 'policy_amount', { details })
    : specificError('forbidden', 'policy_calls', { details });
}

/** Counts an operation and uses its approval. Throws `forbidden` if the policy rejects the operation. */
async function count(
  ctx: Context,
  { apiKeyId, policy, operation, named, limits }: Called,
  previewed: Previewed | null,
): Promise<Counted> {
  const at = ctx.wall.now();
  const usd = previewed === null ? 0 : previewed.preview.amountUsd;
  const amount = BigInt(usd ?? 0);
  const isDryRun = ctx.effects?.isPreview === true;
  // Without a preview and without gauges, nothing can reject the operation.
  if (previewed === null && !haveGauges(limits)) return { amount, at, approvalId: null };
  try {
    return await inAny(ctx, async (tx) => {
      let approvalId: string | null = null;
      const rejecting = await takeOperation(tx.sql, apiKeyId, limits, {
        delta: { calls: 1n, money: amount },
        now: at,
        isAdmitted: async (tried) => {
          if (previewed === null || isDryRun) return true;
          const { approvedRun } = tx;
          if (approvedRun !== null) {
            approvalId = await takeForRun(tx, approvedRun, { apiKeyId, operation, previewed }, at);
            return true;
          }
          const asking = tried.filter((one) => one.limit.action === 'approve' && !isWithinLimit(one));
          const isUnpriced = usd === null && operation.movesMoney && limitsMoney(policy);
          const isNeeded = asking.length > 0 || isUnpriced || needsApproval(policy, named);
          const entries = entriesOf(asking, apiKeyId);
          approvalId = await takeApproval(
            tx,
            { apiKeyId, operation, previewed, isNeeded, limits: entries },
            at,
          );
          return true;
        },
      });
      if (rejecting.length > 0) throw policyError(rejecting, apiKeyId);
      return { amount, at, approvalId };
    });
  } catch (error) {
    // Inside an outer transaction, the approval is stored after the rollback of that transaction.
    if (ctx.transaction === null && error instanceof ApprovalNeededError) await keepApproval(ctx, error);
    throw error;
  }
}

/**
 * Returns true if the error is the response to an approved call that Quittance makes. After other errors, the approval can be used again.
 */
function isResponse({ approvedRun }: Context, error: unknown): boolean {
  if (approvedRun === null || !(error instanceof QuittanceError) || error.code === 'charge_in_progress')
    return false;
  const { status } = errorDetails(error.code);
  return status < 500 && ![401, 403, 429].includes(status);
}

/** Result of an operation. `isReturned` is true if its approval can be used again. */
type Ended = { readonly moved: MovedMoney; readonly isRejected: boolean; readonly isReturned: boolean };

/** Replaces the counted money with the money that the operation moved. */
async function settle(
  ctx: Context,
  { apiKeyId, limits }: Called,
  { amount, at, approvalId }: Counted,
  { moved, isRejected, isReturned: mayReturn }: Ended,
): Promise<void> {
  const actual = isRejected ? 0n : ((await amountInUsd(ctx, moved.totals(), at)) ?? amount);
  const delta = { calls: isRejected ? -1n : 0n, money: actual - amount };
  const isReturned = mayReturn && approvalId !== null;
  if (!isReturned && ((delta.calls === 0n && delta.money === 0n) || !haveGauges(limits))) return;
  await inAny(ctx, async (tx) => {
    await correctOperation(tx.sql, apiKeyId, limits, { delta, countedAt: at, now: tx.wall.now() });
    if (isReturned) await returnApproval(tx, approvalId);
  });
}

/**
 * Settles an operation. If the operation is committed already, an error must not change its result: the counted money then stays counted.
 */
const settled = async (...parts: Parameters<typeof settle>): Promise<void> => {
  const [ctx] = parts;
  try {
    await settle(...parts);
  } catch (error) {
    if (ctx.transaction !== null) throw error;
    ctx.log.error({ err: error }, 'The money of an operation could not be corrected.');
  }
};

/** Returns effects that collect the money of an operation, and reject changes that the policy excludes. */
function watching(ctx: Context, { policy, operation }: Called, moved: MovedMoney): Effects {
  const outer = ctx.effects;
  // Changes in a transaction of the operation are added after its commit.
  const isOutside = ctx.transaction === null;
  const note = (tx: TransactionContext, add: () => void): void => {
    if (isOutside) tx.transaction.afterCommit(add);
    else add();
  };
  return {
    isPreview: outer?.isPreview ?? false,
    noteOperation: (name, args) => outer?.noteOperation(name, args),
    noteEvents: (events) => outer?.noteEvents(events),
    noteChanges: async (tx, sets) => {
      if (tx.caller.kind !== 'key') return;
      if (policy.customers !== null) await checkChangedCustomers(tx, policy.customers, sets);
      const own = new MovedMoney();
      for (const set of sets) own.add(set);
      if (!operation.movesMoney && limitsMoney(policy) && own.totals().length > 0)
        throw new Error(`The operation ${operation.name} moves money, but isn't declared to.`);
      note(tx, () => {
        for (const set of sets) moved.add(set);
      });
      await outer?.noteChanges(tx, sets);
    },
    noteMoney: (tx, money) => {
      note(tx, () => moved.put(money.id, money.currency, money.amount));
      outer?.noteMoney(tx, money);
    },
  };
}

/** Runs an operation with effects. The context is the same, because later steps of the request read results by context. */
async function runWatched<T>(ctx: Context, effects: Effects, run: (ctx: Context) => Promise<T>): Promise<T> {
  const holder: { effects: Effects | null } = ctx;
  const outer = holder.effects;
  holder.effects = effects;
  try {
    return await run(ctx);
  } finally {
    holder.effects = outer;
  }
}

/** Keeps the result of an approved call that Quittance makes, and returns the result. */
function noteResult<T>({ approvedRun }: Context, result: T): T {
  if (approvedRun !== null) approvedRun.value = result;
  return result;
}

/** Counts an operation, runs it, and corrects the count with the result. */
async function runCounted<T>(
  ctx: Context,
  called: Called,
  counted: Counted,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  const moved = new MovedMoney();
  try {
    const result = await runWatched(ctx, watching(ctx, called, moved), run);
    await settled(ctx, called, counted, { moved, isRejected: false, isReturned: false });
    return noteResult(ctx, result);
  } catch (error) {
    const isKept =
      error instanceof CommittedRejectionError || (ctx.transaction === null && moved.totals().length > 0);
    const isReturned = !isKept && !isResponse(ctx, error);
    await settled(ctx, called, counted, { moved, isRejected: !isKept, isReturned });
    throw error;
  }
}

/**
 * Runs an operation within the policy of its API key. Money is counted before the first commit of the operation, and corrected with the
 * result. If the process ends in between, the money stays counted. Queries and live fields aren't counted. A call that Quittance has made
 * for the API key returns the stored result, and isn't counted.
 */
export const guard: Guard = async <T>(
  ctx: Context,
  operation: GuardedOperation,
  run: (ctx: Context) => Promise<T>,
): Promise<T> => {
  const { caller, approvedRun } = ctx;
  if (caller.kind !== 'key') return run(ctx);
  const { apiKeyId, policy = openPolicy } = caller;
  const named = { name: operation.name, area: findArea(operation.name) ?? '' };
  if (!allowsOperation(policy, named))
    throw specificError('forbidden', 'policy_operation', { details: { reason: 'policy_operation' } });
  if (policy.customers !== null) await checkNamedCustomers(ctx, policy.customers, operation.args);
  if (operation.kind !== 'mutation') return run(ctx);
  // An earlier execution of an interrupted operation counted the operation.
  if (ctx.resumeLog?.left != null) return noteResult(ctx, await run(ctx));
  const called = { apiKeyId, policy, operation, named, limits: policyLimits(policy) };
  const isAsking = (operation.movesMoney && limitsMoney(policy)) || needsApproval(policy, named);
  // Quittance makes only calls with a single result, so that `T` is the type of the result.
  const made = async (): Promise<{ readonly value: T } | null> =>
    approvedRun === null && (isAsking || ctx.approvalId !== null)
      ? ((await madeResult(ctx, apiKeyId, operation)) as { readonly value: T } | null)
      : null;
  const before = await made();
  if (before !== null) return before.value;
  let counted: Counted;
  try {
    const isPreviewed = isAsking || approvedRun !== null;
    const previewed = isPreviewed ? await previewOperation(ctx, operation, run) : null;
    counted = await count(ctx, called, previewed);
  } catch (error) {
    // Quittance can make the call during the preview, which then fails or has other effects.
    const meanwhile = error instanceof QuittanceError ? await made() : null;
    if (meanwhile !== null) return meanwhile.value;
    throw error;
  }
  return runCounted(ctx, called, counted, run);
};
