import { type Context, keep, type OpenTransaction, RequestContext, scopedQuery } from './context.ts';
import { fixedClock } from './infra/clock.ts';
import type { EnvironmentFacts } from './infra/credentials.ts';
import type { Query, TransactionLimits } from './infra/db.ts';
import { eventTopic, type OutboxEvent, renewCatalogVersion, storeEvents, takeNumbers } from './infra/outbox.ts';
import { tenantClient } from './infra/tenant.ts';

// Transactions of operations: one caller's work, in one environment at one time, all of it or nothing.

/** How a transaction treats the sandbox clock row: shared by business writes, exclusive for a clock run's batch, untouched by what has no business time. */
export type ClockLock = 'share' | 'exclusive' | 'none';

function derivedContext(context: Context, transaction: OpenTransaction, environment: EnvironmentFacts): Context {
  return {
    ...outsideEnvironments(context, transaction),
    environment,
    livemode: environment.livemode,
    clock: fixedClock(environment.simulatedTime ?? context.wall.now()),
    db: tenantClient(transaction.prisma, environment.id, async () => transaction.changesCatalog()),
    sql: scopedQuery(transaction.query, environment.id),
  };
}

/** The part of a derived context that needs no environment. */
function outsideEnvironments(context: Context, transaction: OpenTransaction) {
  const kept = new Map<string, unknown>();
  return {
    app: context.app,
    requestId: context.requestId,
    log: context.log,
    wall: context.wall,
    version: context.version,
    caller: context.caller,
    transaction,
    once: <T>(key: string, make: () => T): T => keep(kept, key, make),
    forget: () => kept.clear(),
    journal: context.journal,
  };
}

/** A derived context for a caller without an environment; what an environment has throws. */
function nobodysContext(context: Context, transaction: OpenTransaction): Context {
  const none = (): never => {
    throw new Error('The request has no environment: its caller is not authenticated.');
  };
  const missing = { get: none, enumerable: true } as const;
  const parts = outsideEnvironments(context, transaction);
  // The members an environment gives are defined on the next line, as accessors that throw.
  return Object.defineProperties(parts, { environment: missing, livemode: missing, clock: missing, db: missing, sql: missing }) as Context;
}

/** The test clock's time under lock; null for live environments and sandboxes never moved. */
async function lockClock(query: Query, environment: EnvironmentFacts, lock: ClockLock): Promise<Date | null> {
  if (environment.livemode || lock === 'none') return environment.simulatedTime;
  const mode = lock === 'share' ? 'SHARE' : 'UPDATE';
  const [row] = await query<{ simulatedTime: Date | null }>(
    `SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1 FOR ${mode}`,
    [environment.id],
  );
  return row?.simulatedTime ?? null;
}

/** Locks the test clock where it is believed to stand; fails with `division_by_zero` where it does not. */
async function lockClockAt(query: Query, { id, livemode, simulatedTime }: EnvironmentFacts): Promise<void> {
  if (livemode) return;
  await query('SELECT 1 / ("simulatedTime" IS NOT DISTINCT FROM $2)::integer FROM "TestClock" WHERE "environmentId" = $1 FOR SHARE', [
    id,
    simulatedTime,
  ]);
}

/** Opens a transaction, and after its commit does what was asked for by `afterCommit` in parts of it that were not rolled back. */
async function openFor<T>(context: Context, limits: TransactionLimits, work: (open: OpenTransaction) => Promise<T>): Promise<T> {
  let after: (() => void)[] = [];
  const result = await context.app.database.transaction(async (transaction) => {
    after = [];
    let isCatalogChanged = false;
    const nested = async <R>(inner: () => Promise<R>): Promise<R> => {
      const kept = after.length;
      const wasChanged = isCatalogChanged;
      await transaction.query('SAVEPOINT operation');
      try {
        const result = await inner();
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
    if (isCatalogChanged) await renewCatalogVersion(transaction.query, context.environment.id);
    return done;
  }, limits);
  for (const task of after) task();
  return result;
}

/** Statements of an operation that are sent right behind the lock of the clock, before its answer is there. */
export type Ahead<A> = (sql: Query, query: Query) => Promise<A>;

/** Runs `work` as the transaction of one operation: the clock row is locked first, and further calls inside join it. */
async function inOwn<T, A>(
  context: Context,
  open: OpenTransaction,
  lock: ClockLock,
  work: (context: Context, asked: A) => Promise<T>,
  ahead: Ahead<A>,
): Promise<T> {
  const locked = lockClock(open.query, context.environment, lock);
  const [simulatedTime, asked] = await Promise.all([locked, ahead(scopedQuery(open.query, context.environment.id), open.query)]);
  return work(derivedContext(context, { ...open, nested: null }, { ...context.environment, simulatedTime }), asked);
}

const nothingAhead: Ahead<undefined> = () => Promise.resolve(undefined);

/**
 * Runs `work` in one transaction with a context of its own, or in the one that is already open.
 * A sandbox's clock row is locked first, so that nothing is committed behind a clock run (protocols A2, B7).
 * Inside an envelope it is a savepoint: what is thrown undoes exactly what this call did, as it would outside.
 */
export async function inTransaction<T>(
  context: Context,
  work: (context: Context) => Promise<T>,
  options: TransactionLimits & { clockLock?: ClockLock } = {},
): Promise<T> {
  const lock = options.clockLock ?? 'share';
  const { transaction } = context;
  if (transaction === null) return openFor(context, options, (open) => inOwn(context, open, lock, work, nothingAhead));
  return transaction.nested === null ? work(context) : transaction.nested(() => inOwn(context, transaction, lock, work, nothingAhead));
}

/** Runs `work` in a transaction of its own whose first statements, those of `ahead`, are sent together with the lock of the clock, which they wait for. */
export async function inAskedTransaction<T, A>(
  context: Context,
  ahead: Ahead<A>,
  work: (context: Context, asked: A) => Promise<T>,
): Promise<T> {
  if (context.transaction !== null) throw new Error('A transaction of its own cannot be opened inside another one.');
  return openFor(context, {}, (open) => inOwn(context, open, 'share', work, ahead));
}

/**
 * Runs `work` at once in a transaction of its own that believes its clock to stand where the environment says: the clock and what `ahead`
 * asks for are locked before anything `work` asks for, and fail it where they fail. Fails with `division_by_zero` where the clock stands elsewhere.
 */
export async function inBelievedTransaction<T>(
  context: Context,
  environment: EnvironmentFacts,
  ahead: Ahead<void>,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  if (context.transaction !== null) throw new Error('A transaction of its own cannot be opened inside another one.');
  return openFor(context, {}, async (open) => {
    const locked = Promise.all([lockClockAt(open.query, environment), ahead(scopedQuery(open.query, environment.id), open.query)]);
    locked.catch(() => undefined);
    const result = work(derivedContext(context, { ...open, nested: null }, environment));
    await result.catch(() => undefined);
    // Where it failed, so did all that followed.
    await locked;
    return result;
  });
}

/**
 * Runs a whole operation in one outer transaction, together with what is recorded about it (the answer under its idempotency key, protocols A4).
 * Transactions of the operation become savepoints of it, one after another. Whatever `work` throws undoes everything. A caller without an
 * environment has the open transaction itself.
 */
export async function inEnvelope<T>(context: Context, work: (context: Context) => Promise<T>, limits: TransactionLimits = {}): Promise<T> {
  if (context.transaction !== null) throw new Error('An envelope cannot be opened inside a transaction.');
  const isNobody = context instanceof RequestContext && !context.isAuthenticated;
  return openFor(context, limits, (open) =>
    work(isNobody ? nobodysContext(context, open) : derivedContext(context, open, context.environment)),
  );
}

/** The transaction of a derived context. Throws outside one: numbers and events are written only together with what they belong to. */
function openTransaction(context: Context): OpenTransaction {
  if (context.transaction === null) throw new Error('This needs an open transaction.');
  return context.transaction;
}

/** Takes the next sequence number of the environment; late in the transaction (protocols A5). */
export async function nextSeq(context: Context): Promise<bigint> {
  return (await takeNumbers(openTransaction(context).query, context.environment.id, { seq: 1 })).seq;
}

/** Stores events in the transaction and hints at them after the commit. */
export async function recordEvents(context: Context, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  const transaction = openTransaction(context);
  const { position } = await takeNumbers(transaction.query, context.environment.id, { positions: events.length });
  await storeEvents(transaction.query, context.environment.id, position, events);
  hintEvents(context);
}

/** Hints, after the commit, that the environment has new events. */
export function hintEvents(context: Context): void {
  openTransaction(context).afterCommit(() => context.app.pubsub.hint(eventTopic(context.environment.id)));
}
