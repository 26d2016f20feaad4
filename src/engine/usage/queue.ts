import { type App, type Context, RequestContext } from '../../context.ts';
import { originOf } from '../../event-origin.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { DatabaseBusyError } from '../../platform/db/pool.ts';
import { isAboutRows } from '../../platform/db/savepoint.ts';
import { isLockTimeout, isUniqueViolation } from '../../platform/db/unique.ts';
import { KeyTakenError } from '../../platform/idempotency.ts';
import { openTurns } from '../../platform/queue/batch-queue.ts';
import { type BatchOptions, OverdueError, recordBatch } from './batch.ts';
import { type BatchResult, QueuedOperation, type UsageOperation } from './operation.ts';
import { catchUpFirst } from './overdue.ts';
import { StaleSnapshotError } from './snapshots.ts';

// Usage of an environment is recorded by one transaction after another, each of everything that has arrived since the one before;
// one may read while another writes.

/** Until when, by the monotonic clock, batches of a process look their keys up first: requests that are sent again come in numbers. */
const lookingUpUntilMs = new WeakMap<App, number>();
const lookingUpMs = 5_000;

/** Until when snapshots are not used, after one was stale: another process works on the same customers. */
const readingUntilMs = new WeakMap<App, number>();
const readingMs = 1_000;

/** How often a batch is tried again with its keys looked up or its rows read. */
const maxTries = 3;

/** How long all operations of a batch wait for the rival of one. */
const sharedWaitMs = 100;

const isOver = (until: WeakMap<App, number>, app: App): boolean => monotonicMs() >= (until.get(app) ?? 0);

/** Notes what a failure says about the batches to come; answers whether the same batch is tried again by reading. */
function isSolvedByReading(app: App, error: unknown): boolean {
  if (error instanceof StaleSnapshotError) readingUntilMs.set(app, monotonicMs() + readingMs);
  else if (isUniqueViolation(error) || error instanceof KeyTakenError)
    lookingUpUntilMs.set(app, monotonicMs() + lookingUpMs);
  else return false;
  return true;
}

/** How a batch is tried: alone, beside the queue, where it may wait for a rival; for the how-manieth time; after what was due. */
type Attempt = { readonly isAlone?: boolean; readonly tries?: number; readonly isCaughtUp?: boolean };

/**
 * Records operations and settles each. An operation the database rejects is found by halving the batch and fails alone; one that waits for a
 * rival with its key proceeds alone and no longer delays the others. Never rejects.
 */
async function runBatch(
  ctx: Context,
  operations: readonly QueuedOperation[],
  { isAlone = false, tries = 1, isCaughtUp = false }: Attempt = {},
): Promise<void> {
  const { app } = ctx;
  const bound = app.config.idempotencyLockTimeoutMs;
  let hasBegun = false;
  const looksUpKeys = isAlone || tries > 1 || !isOver(lookingUpUntilMs, app);
  const options: BatchOptions = {
    isCaughtUp,
    looksUpKeys,
    usesSnapshot: !looksUpKeys && isOver(readingUntilMs, app),
    lockTimeoutMs: isAlone ? bound : Math.min(sharedWaitMs, bound),
    onBegun: (begun) => {
      hasBegun = begun;
    },
  };
  try {
    await recordBatch(ctx, operations, options);
  } catch (error) {
    if (error instanceof OverdueError) {
      // What cannot be executed is left to the worker, and usage counts where the customer stands.
      await catchUpFirst(ctx, error.customerIds).catch((failure: unknown) =>
        ctx.log.error({ error: failure }, 'What is due failed.'),
      );
      return runBatch(ctx, operations, { isAlone, tries, isCaughtUp: true });
    }
    if (isSolvedByReading(app, error) && tries < maxTries)
      return runBatch(ctx, operations, { isAlone, tries: tries + 1 });
    if (isLockTimeout(error) && !isAlone) return runAlone(ctx, operations);
    if (operations.length === 1 || !isAboutRows(error)) {
      // Only a key is waited for with a bound, and then nothing was executed.
      for (const operation of operations) operation.fail(error, hasBegun && !isLockTimeout(error));
      return;
    }
    const middle = Math.ceil(operations.length / 2);
    await runBatch(ctx, operations.slice(0, middle), { isAlone });
    await runBatch(ctx, operations.slice(middle), { isAlone });
  }
}

/** Records the operations with keys one by one beside the queue, where each may wait for its rival, and the others together. */
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

/** The queues of each process. */
const queues = new WeakMap<App, Queue>();

const weightOf = ({ requests }: QueuedOperation): number => Math.max(1, requests.length);

function openQueue(app: App): Queue {
  const { databasePoolSize, usageQueueEvents } = app.config;
  const isEmbedded = app.database.kind === 'pglite';
  const limits = {
    slots: isEmbedded ? 1 : Math.max(1, Math.floor(databasePoolSize / 2)),
    // While one batch writes, the next one reads; a small one costs more beside another than what it waits for to come along.
    lanes: isEmbedded ? 1 : 2,
    besideWeight: 16,
    batchWeight: 1_000,
    queueWeight: usageQueueEvents,
    weightOf,
    nameOf: ({ key }: QueuedOperation) => key?.key ?? null,
  };
  return openTurns<QueuedOperation>(limits, async (environmentId, operations) => {
    const [first] = operations;
    if (first?.environment.id !== environmentId) throw new Error('A batch is of one environment.');
    const ctx = new RequestContext(app, 'usage');
    ctx.become({ kind: 'system', source: 'worker', actorId: null }, first.environment);
    await runBatch(ctx, operations);
  });
}

/**
 * Records an operation in a batch, together with what else has arrived in its environment, and answers after the commit. Throws BatchError for a
 * failure of the transaction, and DatabaseBusyError when the queue of the environment is full; nothing is recorded then.
 */
export async function recordInBatch<R>(ctx: Context, operation: UsageOperation<R>): Promise<BatchResult<R>> {
  const { app, environment } = ctx;
  const queued = new QueuedOperation(environment, operation, originOf(ctx));
  if (!queues.getOrInsertComputed(app, openQueue).put(environment.id, queued))
    throw new DatabaseBusyError('Too much usage of the environment is waiting to be recorded.');
  // Settled with what the operation's own `respond` made.
  return (await queued.result) as BatchResult<R>;
}
