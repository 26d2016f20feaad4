import {
  type AnonymousContext,
  type Context,
  keep,
  type OpenTransaction,
  RequestContext,
  scopedQuery,
  type TransactionContext,
} from './context.ts';
import { originOf } from './event-origin.ts';
import {
  changeTopic,
  eventTopic,
  type OutboxEvent,
  renewCatalogVersion,
  storingEvents,
  takeNumbers,
} from './outbox/write.ts';
import { fixedClock } from './platform/clock.ts';
import type { EnvironmentDetails } from './platform/credentials.ts';
import type { Query, TransactionLimits } from './platform/db/pool.ts';
import { orRaise } from './platform/db/raised-errors.ts';
import { tenantClient } from './platform/db/tenant.ts';

// Transactions of operations: one caller's work, in one environment at one time, all of it or nothing.

/** How a transaction treats the sandbox clock row: shared by business writes, exclusive for a clock run's batch, untouched by what has no business time. */
export type ClockLock = 'share' | 'exclusive' | 'none';

/** The part of a transaction's context that needs no environment. */
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
  };
}

/** The context of a transaction, in an environment as it stands under the lock of its clock. */
const transactionContext = (
  ctx: AnonymousContext,
  transaction: OpenTransaction,
  environment: EnvironmentDetails,
): TransactionContext => ({
  ...withoutEnvironment(ctx, transaction),
  environment,
  livemode: environment.livemode,
  clock: fixedClock(environment.simulatedTime ?? ctx.wall.now()),
  db: tenantClient(transaction.prisma, environment.id, async () => transaction.changesCatalog()),
  sql: scopedQuery(transaction.query, environment.id),
});

/** The test clock's time under lock; null for live environments and sandboxes never moved. */
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

/** Locks the test clock where it was read to stand; raises `clockMoved` where it stands elsewhere. */
async function lockClockAt(query: Query, { id, livemode, simulatedTime }: EnvironmentDetails): Promise<void> {
  if (livemode) return;
  await query(
    `SELECT ${orRaise('"simulatedTime" IS NOT DISTINCT FROM $2', 'clockMoved')} FROM "TestClock" WHERE "environmentId" = $1 FOR SHARE`,
    [id, simulatedTime],
  );
}

/** Opens a transaction, and after its commit does what was asked for by `afterCommit` in parts of it that were not rolled back. */
async function openFor<T>(
  ctx: Context,
  limits: TransactionLimits,
  work: (open: OpenTransaction) => Promise<T>,
): Promise<T> {
  let after: (() => void)[] = [];
  const result = await ctx.app.database.transaction(async (transaction) => {
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
  for (const task of after) task();
  return result;
}

/** Statements sent right behind the lock of the clock, before its answer is there. */
export type Lead<A> = (sql: Query, query: Query) => Promise<A>;

/** How a transaction is opened. `lead` and `assumedTime` are only for one of its own, never for one that joins another. */
export type TransactionOptions<A> = TransactionLimits & {
  /** Defaults to `share`. */
  readonly clockLock?: ClockLock;
  /** The first statements; `work` is given what they answer. */
  readonly lead?: Lead<A>;
  /**
   * What the test clock was read to show, null for the real time. `work` then begins at once, beside the lock and the lead, whose answers it
   * is not given: its statements wait behind theirs and fail where they fail, with `clockMoved` where the clock shows another time.
   */
  readonly assumedTime?: Date | null;
};

/** Runs `work` as the transaction of one operation: the clock row is locked first, and further calls inside join it. */
async function inOwn<T, A>(
  ctx: Context,
  open: OpenTransaction,
  work: (tx: TransactionContext, led: A) => Promise<T>,
  { clockLock = 'share', lead }: TransactionOptions<A>,
): Promise<T> {
  const locked = lockClock(open.query, ctx.environment, clockLock);
  // Without a lead there is nothing it could answer.
  const led = lead?.(scopedQuery(open.query, ctx.environment.id), open.query) as Promise<A>;
  const [simulatedTime, answer] = await Promise.all([locked, led]);
  return work(
    transactionContext(ctx, { ...open, nested: null }, { ...ctx.environment, simulatedTime }),
    answer,
  );
}

/** The same at an assumed time, without waiting for the lock and the lead. */
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
  // What the lead answers is not there yet.
  const result = work(transactionContext(ctx, { ...open, nested: null }, environment), undefined as A);
  await result.catch(() => undefined);
  // Where it failed, so did all that followed.
  await locked;
  return result;
}

/** Whether a context is that of a transaction. */
const isInTransaction = (ctx: Context): ctx is TransactionContext => ctx.transaction !== null;

/**
 * Runs `work` in one transaction with a context of its own, or in the one that is already open.
 * A sandbox's clock row is locked first, so that nothing is committed behind a clock run.
 * Inside an outer transaction it is a savepoint: what is thrown undoes exactly what this call did, as it would outside.
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
  // Without a lead there is nothing it could answer.
  return transaction.nested === null
    ? work(ctx, undefined as A)
    : transaction.nested(() => inOwn(ctx, transaction, work, options));
}

/**
 * Runs a whole operation in one outer transaction, together with what is recorded about it (the answer under its idempotency key).
 * Transactions of the operation become savepoints of it, one after another. Whatever `work` throws undoes everything. A caller without an
 * environment has the open transaction itself.
 */
export async function inOuterTransaction<T>(
  ctx: Context,
  work: (outer: TransactionContext) => Promise<T>,
  limits: TransactionLimits = {},
): Promise<T> {
  if (ctx.transaction !== null)
    throw new Error('An outer transaction cannot be opened inside another transaction.');
  const isOutside = ctx instanceof RequestContext && !ctx.isAuthenticated;
  return openFor(ctx, limits, (open) =>
    // Operations open to anybody ask for nothing an environment has.
    work(
      isOutside
        ? (withoutEnvironment(ctx, open) as TransactionContext)
        : transactionContext(ctx, open, ctx.environment),
    ),
  );
}

/** The transaction of a derived context. Throws outside one: numbers and events are written only together with what they belong to. */
function openTransaction(ctx: Context): OpenTransaction {
  if (ctx.transaction === null) throw new Error('This needs an open transaction.');
  return ctx.transaction;
}

/** Takes the next sequence number of the environment; late in the transaction. */
export async function nextSeq(ctx: Context): Promise<bigint> {
  return (await takeNumbers(openTransaction(ctx).query, ctx.environment.id, { seq: 1 })).seq;
}

/** Stores events in the transaction and hints at them after the commit. */
export async function recordEvents(ctx: Context, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { query } = openTransaction(ctx);
  const { position } = await takeNumbers(query, ctx.environment.id, { positions: events.length });
  const origin = originOf(ctx);
  const stored = events.map((event) => ({ ...event, ...origin }));
  await storingEvents(stored, position).run(ctx.sql);
  hintEvents(ctx);
}

/** Hints, after the commit, that something changed without an event, so that live fields look. */
export function hintChange(ctx: Context): void {
  openTransaction(ctx).afterCommit(() => ctx.app.pubsub.hint(changeTopic(ctx.environment.id)));
}

/** Hints, after the commit, that the environment has new events. */
export function hintEvents(ctx: Context): void {
  openTransaction(ctx).afterCommit(() => ctx.app.pubsub.hint(eventTopic(ctx.environment.id)));
}
