import {
  changeTopic,
  eventTopic,
  type OutboxEvent,
  renewCatalogVersion,
  storingEvents,
  takeNumbers,
} from '../outbox/write.ts';
import { fixedClock } from '../platform/clock.ts';
import type { EnvironmentDetails } from '../platform/credentials.ts';
import type { Query, TransactionLimits } from '../platform/db/pool.ts';
import { orRaise } from '../platform/db/raised-errors.ts';
import { tenantClient } from '../platform/db/tenant.ts';
import { workTopic } from '../platform/queue/lease.ts';
import {
  type AnonymousContext,
  type Context,
  keep,
  type OpenTransaction,
  RequestContext,
  type TransactionContext,
} from './context.ts';
import { originOf } from './event-origin.ts';
import { scopedQuery } from './reads.ts';

// Database transactions for operations. A transaction belongs to one caller and one environment, and has a fixed time.

/**
 * Row lock on the sandbox's test clock: `share` for writes that depend on the environment's time, `exclusive` for the
 * batches of a clock run, and `none` for work that doesn't depend on the environment's time.
 */
type ClockLock = 'share' | 'exclusive' | 'none';

/** Returns the part of a transaction context that doesn't need an environment. */
function withoutEnvironment(ctx: AnonymousContext, transaction: OpenTransaction) {
  const kept = new Map<string, unknown>();
  return {
    app: ctx.app,
    requestId: ctx.requestId,
    log: ctx.log,
    wall: ctx.wall,
    version: ctx.version,
    caller: ctx.caller,
    transaction,
    once: <T>(key: string, make: () => T): T => keep(kept, key, make),
    forget: () => kept.clear(),
    resumeLog: ctx.resumeLog,
    effects: ctx.effects,
    approvalId: ctx.approvalId,
    approvedRun: ctx.approvedRun,
  };
}

/** Returns a transaction context. `environment` contains the locked time of the test clock. */
const transactionContext = (
  ctx: AnonymousContext,
  transaction: OpenTransaction,
  environment: EnvironmentDetails,
): TransactionContext => ({
  ...withoutEnvironment(ctx, transaction),
  environment,
  livemode: environment.livemode,
  clock: fixedClock(environment.simulatedTime ?? ctx.wall.now()),
  db: tenantClient(transaction.prisma, environment.id, {
    onCatalogChange: async () => transaction.changesCatalog(),
  }),
  sql: scopedQuery(transaction.query, environment.id),
  reads: scopedQuery(transaction.query, environment.id),
});

/** Locks the test clock and returns its time. `null` if the environment is live or its clock was never advanced. */
async function lockClock(
  query: Query,
  environment: EnvironmentDetails,
  lock: ClockLock,
): Promise<Date | null> {
  if (environment.livemode || lock === 'none') return environment.simulatedTime;
  const mode = lock === 'share' ? 'SHARE' : 'UPDATE';
  const [row] = await query<{ simulatedTime: Date | null }>(
    `SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1 FOR ${mode}`,
    [environment.id],
  );
  return row?.simulatedTime ?? null;
}

/** Locks the test clock and checks that it has the expected time. Raises `clockMoved` if the time differs. */
async function lockClockAt(query: Query, { id, livemode, simulatedTime }: EnvironmentDetails): Promise<void> {
  if (livemode) return;
  await query(
    `SELECT ${orRaise('"simulatedTime" IS NOT DISTINCT FROM $2', 'clockMoved')} FROM "TestClock" WHERE "environmentId" = $1 FOR SHARE`,
    [id, simulatedTime],
  );
}

/** True if the context belongs to a caller without an environment. */
const isOutside = (ctx: Context): boolean => ctx instanceof RequestContext && !ctx.isAuthenticated;

/** Runs `work` in a database transaction. After the commit, runs the `afterCommit` callbacks, except those registered in rolled-back savepoints. */
async function openFor<T>(
  ctx: Context,
  limits: TransactionLimits,
  work: (open: OpenTransaction) => Promise<T>,
): Promise<T> {
  let after: (() => void)[] = [];
  const { database } = ctx.app;
  const inShare = (run: () => Promise<T>): Promise<T> =>
    isOutside(ctx)
      ? run()
      : database.share.run(ctx.environment.id, run, {
          waitMs: limits.maxWaitMs,
          // A transaction with a longer limit is declared to take that long.
          budget: ctx instanceof RequestContext && limits.timeoutMs === undefined ? ctx.waits : null,
        });
  const open = () =>
    database.transaction(async (transaction) => {
      after = [];
      let isCatalogChanged = false;
      const nested = async <R>(tx: () => Promise<R>): Promise<R> => {
        const kept = after.length;
        const wasChanged = isCatalogChanged;
        await transaction.query('SAVEPOINT operation');
        try {
          const result = await tx();
          await transaction.query('RELEASE SAVEPOINT operation');
          return result;
        } catch (error) {
          after.length = kept;
          isCatalogChanged = wasChanged;
          await transaction.query('ROLLBACK TO SAVEPOINT operation');
          throw error;
        }
      };
      const done = await work({
        ...transaction,
        afterCommit: (task) => void after.push(task),
        changesCatalog: () => {
          isCatalogChanged = true;
        },
        nested,
      });
      if (isCatalogChanged) await renewCatalogVersion(transaction.query, ctx.environment.id);
      return done;
    }, limits);
  const result = await inShare(open);
  for (const task of after) task();
  return result;
}

/** First statements of a transaction. They are sent directly after the clock lock, without waiting for the lock. */
export type Lead<A> = (sql: Query, query: Query) => Promise<A>;

/** Transaction options. `lead` and `assumedTime` aren't allowed inside another transaction. */
export type TransactionOptions<A> = TransactionLimits & {
  /** Type of the lock on the test clock. Defaults to `share`. */
  readonly clockLock?: ClockLock;
  /** First statements of the transaction. `work` receives their result. */
  readonly lead?: Lead<A>;
  /**
   * Time that the test clock is assumed to have; `null` is real time. `work` starts immediately instead of waiting for
   * the lock and the lead statements, and doesn't receive their result. The transaction fails if the lock or a lead
   * statement fails. It fails with `clockMoved` if the clock's time differs.
   */
  readonly assumedTime?: Date | null;
};

/** Runs `work` after the clock lock and the lead statements. */
async function inOwn<T, A>(
  ctx: Context,
  open: OpenTransaction,
  work: (tx: TransactionContext, led: A) => Promise<T>,
  { clockLock = 'share', lead }: TransactionOptions<A>,
): Promise<T> {
  const locked = lockClock(open.query, ctx.environment, clockLock);
  // The cast is safe because `A` is `undefined` if the caller passes no `lead`.
  const led = lead?.(scopedQuery(open.query, ctx.environment.id), open.query) as Promise<A>;
  const [simulatedTime, answer] = await Promise.all([locked, led]);
  return work(
    transactionContext(ctx, { ...open, nested: null }, { ...ctx.environment, simulatedTime }),
    answer,
  );
}

/** Runs `work` at an assumed time, without waiting for the clock lock and the lead statements. */
async function inAssumed<T, A>(
  ctx: Context,
  open: OpenTransaction,
  work: (tx: TransactionContext, led: A) => Promise<T>,
  environment: EnvironmentDetails,
  lead: Lead<A> | undefined,
): Promise<T> {
  const locked = Promise.all([
    lockClockAt(open.query, environment),
    lead?.(scopedQuery(open.query, environment.id), open.query),
  ]);
  locked.catch(() => undefined);
  // Passes `undefined`, because the result of the lead statements isn't available yet.
  const result = work(transactionContext(ctx, { ...open, nested: null }, environment), undefined as A);
  await result.catch(() => undefined);
  // If the lock or a lead statement fails, every later statement fails too. The error of the lock or lead is thrown first, because it's the
  // cause.
  await locked;
  return result;
}

const isInTransaction = (ctx: Context): ctx is TransactionContext => ctx.transaction !== null;

/**
 * Runs `work` in a transaction and passes the transaction's context to `work`. A sandbox's clock row is locked first, so that nothing
 * commits during a batch of a clock run. Inside an outer transaction, the call becomes a savepoint, and an error only rolls back the writes
 * of this call.
 */
export async function inTransaction<T, A = undefined>(
  ctx: Context,
  work: (tx: TransactionContext, led: A) => Promise<T>,
  options: TransactionOptions<A> = {},
): Promise<T> {
  const { lead, assumedTime } = options;
  if (!isInTransaction(ctx)) {
    return openFor(ctx, options, (open) =>
      assumedTime === undefined
        ? inOwn(ctx, open, work, options)
        : inAssumed(ctx, open, work, { ...ctx.environment, simulatedTime: assumedTime }, lead),
    );
  }
  if (lead !== undefined || assumedTime !== undefined)
    throw new Error('A transaction of its own cannot be opened inside another one.');
  const { transaction } = ctx;
  // The cast is safe because `A` is `undefined` if the caller passes no `lead`.
  return transaction.nested === null
    ? work(ctx, undefined as A)
    : transaction.nested(() => inOwn(ctx, transaction, work, options));
}

/**
 * Runs an operation and stores its response in one transaction, for example for an idempotency key. Transactions opened by the operation become
 * savepoints. An error thrown by `work` rolls everything back. Without an environment, `work` receives a context that only contains the open
 * transaction.
 */
export async function inOuterTransaction<T>(
  ctx: Context,
  work: (outer: TransactionContext) => Promise<T>,
  limits: TransactionLimits = {},
): Promise<T> {
  if (ctx.transaction !== null)
    throw new Error('An outer transaction cannot be opened inside another transaction.');
  return openFor(ctx, limits, (open) =>
    // Operations for callers without an environment don't read the missing fields.
    work(
      isOutside(ctx)
        ? (withoutEnvironment(ctx, open) as TransactionContext)
        : transactionContext(ctx, open, ctx.environment),
    ),
  );
}

/**
 * Returns the open transaction of a context. Throws outside a transaction, because sequence numbers and events must be stored together with the data.
 */
function openTransaction(ctx: Context): OpenTransaction {
  if (ctx.transaction === null) throw new Error('This needs an open transaction.');
  return ctx.transaction;
}

/** Allocates the environment's next sequence number. The counter stays locked until the commit, so call this late in the transaction. */
export async function nextSeq(ctx: Context): Promise<bigint> {
  return (await takeNumbers(openTransaction(ctx).query, ctx.environment.id, { seq: 1 })).seq;
}

/**
 * Allocates a sequence number and the position of one event with a single SQL statement. Like `nextSeq`, call this late
 * in the transaction.
 */
export const nextSeqAndPosition = (
  ctx: Context,
): Promise<{ readonly seq: bigint; readonly position: bigint }> =>
  takeNumbers(openTransaction(ctx).query, ctx.environment.id, { seq: 1, positions: 1 });

/** Stores events in the transaction. `first` is the position of the first event, if it's already allocated. After the commit, notifies subscribers. */
export async function recordEvents(
  ctx: Context,
  events: readonly OutboxEvent[],
  first?: bigint,
): Promise<void> {
  if (events.length === 0) return;
  ctx.effects?.noteEvents(events);
  const { query } = openTransaction(ctx);
  const position =
    first ?? (await takeNumbers(query, ctx.environment.id, { positions: events.length })).position;
  const origin = originOf(ctx);
  const stored = events.map((event) => ({ ...event, ...origin }));
  await storingEvents(stored, position).run(ctx.sql);
  hintEvents(ctx);
}

/** Notifies subscribers after the commit about a change without an event, so that live fields are read again. */
export function hintChange(ctx: Context): void {
  openTransaction(ctx).afterCommit(() => ctx.app.pubsub.hint(changeTopic(ctx.environment.id)));
}

/** Notifies the worker after the commit about due work of the environment. */
export function hintWork(ctx: Context): void {
  openTransaction(ctx).afterCommit(() => ctx.app.pubsub.hint(workTopic(ctx.environment.id)));
}

/** Notifies subscribers after the commit about new events of the environment. */
export function hintEvents(ctx: Context): void {
  openTransaction(ctx).afterCommit(() => ctx.app.pubsub.hint(eventTopic(ctx.environment.id)));
}
