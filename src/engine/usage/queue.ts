import { monotonicMs } from '../../platform/clock.ts';
import { DatabaseBusyError } from '../../platform/db/pool.ts';
import { isRaised } from '../../platform/db/raised-errors.ts';
import { isAboutRows } from '../../platform/db/savepoint.ts';
import { isLockTimeout, isUniqueViolation } from '../../platform/db/unique.ts';
import { KeyTakenError } from '../../platform/idempotency.ts';
import { openTurns } from '../../platform/queue/batch-queue.ts';
import { type App, type Context, RequestContext } from '../../request/context.ts';
import { originOf } from '../../request/event-origin.ts';
import { isFreeSandbox, requireRowQuota } from '../quotas.ts';
import { type BatchOptions, OverdueError, recordBatch } from './batch.ts';
import { type BatchResult, QueuedOperation, type UsageOperation } from './operation.ts';
import { catchUpFirst } from './overdue.ts';
import { resolveHolds } from './resolve-holds.ts';
import { StaleSnapshotError } from './snapshots.ts';

// Records an environment's usage in consecutive batches. Each batch contains the usage that arrived after the
// previous batch was formed. One batch can read while the previous batch is being written.

/**
 * Monotonic time until which a process's batches look up keys before writing. Set when a key turns out to be
 * used, because repeated requests often come in groups.
 */
const lookingUpUntilMs = new WeakMap<App, number>();
const lookingUpMs = 5_000;

/**
 * Time until which cached rows aren't used. Set after a version conflict, because another process is working
 * on the same customers.
 */
const readingUntilMs = new WeakMap<App, number>();
const readingMs = 1_000;

/** Maximum number of attempts for a batch that looks up keys, reads rows, or locks shared gauges. */
const maxTries = 4;

/** Maximum time in milliseconds that a batch waits for a concurrent transaction with one of its keys. */
const sharedWaitMs = 100;

/**
 * Time until which the batches of an environment lock shared gauges before the decision (LIM-91). Set if usage doesn't fit, and while a
 * gauge has little room.
 */
const exactUntilMs = new WeakMap<App, Map<string, number>>();
const exactMs = 1_000;

const decideExactly = (app: App, environmentId: string): void => {
  exactUntilMs.getOrInsertComputed(app, () => new Map()).set(environmentId, monotonicMs() + exactMs);
};

function isDecidedExactly(app: App, environmentId: string): boolean {
  const until = exactUntilMs.get(app)?.get(environmentId);
  if (until === undefined || monotonicMs() < until) return until !== undefined;
  exactUntilMs.get(app)?.delete(environmentId);
  return false;
}

const isOver = (until: WeakMap<App, number>, app: App): boolean => monotonicMs() >= (until.get(app) ?? 0);

/**
 * Adjusts the settings of later batches after an error. Returns true if the batch can be retried after
 * looking up its keys or reading its rows.
 */
function isSolvedByReading({ app, environment }: Context, error: unknown): boolean {
  if (isRaised(error, 'limitMoved')) decideExactly(app, environment.id);
  else if (error instanceof StaleSnapshotError) readingUntilMs.set(app, monotonicMs() + readingMs);
  else if (isUniqueViolation(error) || error instanceof KeyTakenError)
    lookingUpUntilMs.set(app, monotonicMs() + lookingUpMs);
  else return false;
  return true;
}

/**
 * `isAlone`: the operation runs outside the queue and may wait for a concurrent transaction. `tries`:
 * number of attempts so far. `isCaughtUp`: due deadlines were executed. `isExact`: usage didn't fit into a shared gauge.
 */
type Attempt = {
  readonly isAlone?: boolean;
  readonly tries?: number;
  readonly isCaughtUp?: boolean;
  readonly isExact?: boolean;
};

/**
 * Records operations and settles each one. If the database rejects a batch, repeatedly splits the batch in
 * half until the failing operation is isolated. An operation that waits for a concurrent transaction with its
 * key continues separately, so that it doesn't delay other operations. Never rejects.
 */
async function runBatch(
  ctx: Context,
  operations: readonly QueuedOperation[],
  { isAlone = false, tries = 1, isCaughtUp = false, isExact = false }: Attempt = {},
): Promise<void> {
  const { app } = ctx;
  const bound = app.config.idempotencyLockTimeoutMs;
  let hasBegun = false;
  const looksUpKeys = isAlone || tries > 1 || !isOver(lookingUpUntilMs, app);
  const options: BatchOptions = {
    isCaughtUp,
    looksUpKeys,
    usesSnapshot: !looksUpKeys && isOver(readingUntilMs, app),
    isExact: isExact || isDecidedExactly(app, ctx.environment.id),
    lockTimeoutMs: isAlone ? bound : Math.min(sharedWaitMs, bound),
    onBegun: (begun) => {
      hasBegun = begun;
    },
  };
  try {
    if (await recordBatch(ctx, operations, options)) decideExactly(app, ctx.environment.id);
  } catch (error) {
    if (error instanceof OverdueError) {
      // If the deadlines can't be executed, the worker executes them later, and the usage counts toward the
      // current window.
      await catchUpFirst(ctx, error.customerIds).catch((failure: unknown) =>
        ctx.log.error({ error: failure }, 'Due deadlines could not be executed.'),
      );
      return runBatch(ctx, operations, { isAlone, tries, isCaughtUp: true, isExact });
    }
    if (isSolvedByReading(ctx, error) && tries < maxTries)
      return runBatch(ctx, operations, {
        isAlone,
        tries: tries + 1,
        isExact: isExact || isRaised(error, 'limitMoved'),
      });
    if (isLockTimeout(error) && !isAlone) return runAlone(ctx, operations);
    if (operations.length === 1 || !isAboutRows(error)) {
      // A lock timeout can only occur while waiting for a key, before any other statement is executed.
      for (const operation of operations) operation.fail(error, hasBegun && !isLockTimeout(error));
      return;
    }
    const middle = Math.ceil(operations.length / 2);
    await runBatch(ctx, operations.slice(0, middle), { isAlone });
    await runBatch(ctx, operations.slice(middle), { isAlone });
  }
}

/**
 * Records operations with a key separately and outside the queue, at most two at a time and without waiting
 * for them, because each can wait for a concurrent transaction. Records the remaining operations together.
 */
async function runAlone(ctx: Context, operations: readonly QueuedOperation[]): Promise<void> {
  const keyed = operations.filter(({ key }) => key !== null).values();
  const drain = async (): Promise<void> => {
    for (const operation of keyed) await runBatch(ctx, [operation], { isAlone: true });
  };
  void Promise.all([drain(), drain()]);
  const others = operations.filter(({ key }) => key === null);
  if (others.length > 0) await runBatch(ctx, others);
}

type Queue = ReturnType<typeof openTurns<QueuedOperation>>;

const queues = new WeakMap<App, Queue>();

const weightOf = ({ requests }: QueuedOperation): number => Math.max(1, requests.length);

function openQueue(app: App): Queue {
  const { databasePoolSize, usageQueueEvents } = app.config;
  const isEmbedded = app.database.kind === 'pglite';
  const limits = {
    slots: isEmbedded ? 1 : Math.max(1, Math.floor(databasePoolSize / 2)),
    // Two lanes let one batch read while another is written. For small batches on the embedded database,
    // waiting for the previous batch is faster.
    lanes: isEmbedded ? 1 : 2,
    besideWeight: 16,
    batchWeight: 1_000,
    queueWeight: usageQueueEvents,
    weightOf,
    nameOf: ({ key }: QueuedOperation) => key?.key ?? null,
  };
  return openTurns<QueuedOperation>(limits, async (environmentId, operations) => {
    const [first] = operations;
    if (first?.environment.id !== environmentId)
      throw new Error('All operations of a batch must belong to one environment.');
    const ctx = new RequestContext(app, 'usage');
    ctx.become({ kind: 'system', source: 'worker', actorId: null }, first.environment);
    await runBatch(ctx, operations);
  });
}

/**
 * Records an operation in a batch with other usage in its environment, and resolves after the commit. Throws
 * `BatchError` if the transaction fails, and `DatabaseBusyError` if the queue is full. In both cases, nothing
 * is recorded.
 */
export async function recordInBatch<R>(ctx: Context, operation: UsageOperation<R>): Promise<BatchResult<R>> {
  const { app, environment } = ctx;
  if (isFreeSandbox(ctx)) await requireRowQuota(ctx);
  const requests = await resolveHolds(ctx, operation.requests);
  const queued = new QueuedOperation(environment, { ...operation, requests }, originOf(ctx));
  if (!queues.getOrInsertComputed(app, openQueue).put(environment.id, queued))
    throw new DatabaseBusyError('Too many usage events of this environment are waiting to be recorded.');
  // The same operation's `respond` function created the result.
  return (await queued.result) as BatchResult<R>;
}

/** Returns the number of usage operations of this process that wait for a batch. */
export const waitingOperations = (app: App): number => queues.get(app)?.waiting() ?? 0;
