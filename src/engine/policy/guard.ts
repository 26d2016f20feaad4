import { errorDetails, QuittanceError, specificError } from '../../domain/errors/errors.ts';
import {
  allowsOperation,
  type KeyPolicy,
  needsApproval,
  openPolicy,
  policyLimits,
} from '../../domain/limits/key-policy.ts';
import {
  haveGauges,
  isWithinLimit,
  type NamedOperation,
  type OperationLimit,
  type OperationNode,
  operationEntry,
  type TriedOperation,
} from '../../domain/limits/operation-limits.ts';
import { findArea } from '../../graphql/declare/areas.ts';
import type { Caller, Context, Guard, GuardedOperation, TransactionContext } from '../../request/context.ts';
import { CommittedRejectionError } from '../execute.ts';
import { ApprovalNeededError, keepApproval, returnApproval, takeApproval } from './approvals.ts';
import { madeResult, takeForRun } from './approved-runs.ts';
import { checkChangedCustomers, checkNamedCustomers } from './check-customers.ts';
import { type Counting, type CountTaken, settleCount, takeCount } from './count-operation.ts';
import { MovedMoney } from './moved-money.ts';
import { amountInUsd, type Previewed, previewOperation } from './preview.ts';
import { readCallerLimits } from './stored-limits.ts';
import { runWatched, type Watch } from './watch.ts';

/** API key or member. */
type LimitedNode = OperationNode & { readonly kind: 'apiKey' | 'member' };

/** Operation with its caller, the policy of the caller, and the limits of the policy and of the organization. */
type Called = {
  readonly node: LimitedNode;
  readonly policy: KeyPolicy;
  readonly operation: GuardedOperation;
  readonly named: NamedOperation;
  readonly limits: readonly OperationLimit[];
};

/** Counted operation, with the approval that it uses. */
type Counted = { readonly taken: CountTaken; readonly approvalId: string | null };

const limitsMoney = (limits: readonly OperationLimit[]): boolean =>
  limits.some(({ measure }) => measure === 'money');

/** Returns the node of an API key or a member. `null` if limits don't count the operations of the caller. */
function limitedNode(caller: Caller): LimitedNode | null {
  if (caller.kind === 'key') return { kind: 'apiKey', id: caller.apiKeyId };
  return caller.kind === 'member' ? { kind: 'member', id: caller.memberId } : null;
}

const entriesOf = (tried: readonly TriedOperation[], node: OperationNode) =>
  tried.map((one) => operationEntry(one, node));

/** Returns the error of an operation that limits reject. */
function policyError(rejecting: readonly TriedOperation[], node: OperationNode): QuittanceError {
  const limit = rejecting[0]?.limit;
  const isMoney = limit?.measure === 'money';
  const reason = isMoney ? 'policy_amount' : 'policy_operation';
  const details = { reason, limits: entriesOf(rejecting, node) };
  if (limit?.row !== undefined)
    return isMoney
      ? specificError('forbidden', 'limit_amount', { details })
      : specificError('forbidden', 'limit_calls', { details });
  return isMoney
    ? specificError('forbidden', 'policy_amount', { details })
    : specificError('forbidden', 'policy_calls', { details });
}

/** Returns the limits of a caller as limits in real time. */
const countingOf = ({ node, limits }: Called): Counting => ({ node, limits, time: 'wall' });

/** Uses the approval of an operation if an approval is needed, and returns its ID. Throws if the approval is missing. */
async function neededApproval(
  tx: TransactionContext,
  { node, policy, operation, named, limits }: Called,
  previewed: Previewed,
  tried: readonly TriedOperation[],
  at: Date,
): Promise<string | null> {
  const { approvedRun } = tx;
  if (approvedRun !== null)
    return takeForRun(tx, approvedRun, { apiKeyId: node.id, operation, previewed }, at);
  const asking = tried.filter((one) => one.limit.action === 'approve' && !isWithinLimit(one));
  const isUnpriced = previewed.preview.amountUsd === null && operation.movesMoney && limitsMoney(limits);
  const isNeeded = asking.length > 0 || isUnpriced || needsApproval(policy, named);
  const entries = entriesOf(asking, node);
  return takeApproval(tx, { apiKeyId: node.id, operation, previewed, isNeeded, limits: entries }, at);
}

/** Counts an operation and uses its approval. Throws `forbidden` if the policy rejects the operation. */
async function count(ctx: Context, called: Called, previewed: Previewed | null): Promise<Counted> {
  const { node, limits } = called;
  const delta = { calls: 1n, money: BigInt(previewed?.preview.amountUsd ?? 0) };
  const isDryRun = ctx.effects?.isPreview === true;
  let approvalId: string | null = null;
  // Without a preview and without gauges, nothing can reject the operation.
  if (previewed === null && !haveGauges(limits))
    return { taken: { delta, at: ctx.wall.now(), crossings: [] }, approvalId };
  const taken = await takeCount(ctx, countingOf(called), delta, {
    errorOf: (rejecting) => policyError(rejecting, node),
    admit: async (tx, tried, at) => {
      if (previewed === null || isDryRun || node.kind === 'member') return;
      approvalId = await neededApproval(tx, called, previewed, tried, at);
    },
    keep: async (error) => {
      if (error instanceof ApprovalNeededError) await keepApproval(ctx, error);
    },
  });
  return { taken, approvalId };
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
  called: Called,
  { taken, approvalId }: Counted,
  { moved, isRejected, isReturned }: Ended,
): Promise<void> {
  const { delta, at } = taken;
  const money = isRejected ? 0n : ((await amountInUsd(ctx, moved.totals(), at)) ?? delta.money);
  const actual = { calls: isRejected ? 0n : 1n, money, isAccepted: !isRejected };
  const also =
    isReturned && approvalId !== null
      ? (tx: TransactionContext): Promise<void> => returnApproval(tx, approvalId)
      : undefined;
  await settleCount(ctx, countingOf(called), taken, actual, also);
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

/** Throws `forbidden` if the policy of the API key excludes the customers of a decision. */
const checkOf =
  ({ policy, operation, limits }: Called): Watch =>
  async (tx, sets, own) => {
    if (policy.customers !== null) await checkChangedCustomers(tx, policy.customers, sets);
    if (!operation.movesMoney && limitsMoney(limits) && own.totals().length > 0)
      throw new Error(`The operation ${operation.name} moves money, but isn't declared to.`);
  };

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
    const result = await runWatched(ctx, { moved, check: checkOf(called) }, run);
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

/** Operations with which members change limits. Limits of members don't count them, so that a limit can't prevent its change. */
const limitOperations: ReadonlySet<string> = new Set([
  'limitUpdate',
  'limitDelete',
  'limitRaise',
  'limitRaiseEnd',
]);

/** Returns the limits of a policy and of the organization that count an operation of a caller. */
async function limitsOf(
  ctx: Context,
  node: LimitedNode,
  policy: KeyPolicy,
  named: NamedOperation,
): Promise<OperationLimit[]> {
  const isExempt = node.kind === 'member' && limitOperations.has(named.name);
  const stored =
    ctx.environment.limitsCallers && !isExempt
      ? await readCallerLimits(ctx.sql, node, named, ctx.wall.now())
      : [];
  return [...policyLimits(policy), ...stored];
}

/**
 * Runs an operation within the limits of its API key or member, and within the policy of its API key. Money is counted before the first commit of the operation, and corrected with the
 * result. If the process ends in between, the money stays counted. Queries and live fields aren't counted. A call that Quittance has made
 * for the API key returns the stored result, and isn't counted.
 */
export const guard: Guard = async <T>(
  ctx: Context,
  operation: GuardedOperation,
  run: (ctx: Context) => Promise<T>,
): Promise<T> => {
  const { caller, approvedRun } = ctx;
  const node = limitedNode(caller);
  if (node === null) return run(ctx);
  const { policy = openPolicy } = caller.kind === 'key' ? caller : {};
  const named = { name: operation.name, area: findArea(operation.name) ?? '' };
  if (!allowsOperation(policy, named))
    throw specificError('forbidden', 'policy_operation', { details: { reason: 'policy_operation' } });
  if (policy.customers !== null) await checkNamedCustomers(ctx, policy.customers, operation.args);
  if (operation.kind !== 'mutation') return run(ctx);
  // An earlier execution of an interrupted operation counted the operation.
  if (ctx.resumeLog?.left != null) return noteResult(ctx, await run(ctx));
  const limits = await limitsOf(ctx, node, policy, named);
  const called = { node, policy, operation, named, limits };
  const isAsking =
    (operation.movesMoney && limitsMoney(limits)) ||
    needsApproval(policy, named) ||
    limits.some(({ measure, action }) => measure === 'calls' && action === 'approve');
  // Quittance makes only calls with a single result, so that `T` is the type of the result.
  const made = async (): Promise<{ readonly value: T } | null> =>
    approvedRun === null && (isAsking || ctx.approvalId !== null)
      ? ((await madeResult(ctx, node.id, operation)) as { readonly value: T } | null)
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
