import { firstLots } from '../../domain/lots/open-lots.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import { type WritePart, writeTogether } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import { isRaised } from '../../platform/db/raised-errors.ts';
import { isAboutRows } from '../../platform/db/savepoint.ts';
import { isLockTimeout, isUniqueViolation } from '../../platform/db/unique.ts';
import {
  type FoundKey,
  findKeysInUse,
  type KeyedResult,
  type KeyRequest,
  storeResults,
} from '../../platform/idempotency.ts';
import { together } from '../../platform/together.ts';
import type { Context, TransactionContext } from '../../request/context.ts';
import { inTransaction, type Lead } from '../../request/transaction.ts';
import { isRealTime } from '../apply.ts';
import { readCells } from '../load/cells.ts';
import { readConversion } from '../load/fx-rates.ts';
import { readLevels } from '../load/levels.ts';
import { type DecidedBatch, type DecisionRows, decideBatch, needsOf } from './decide.ts';
import { readLots, readUsage } from './load.ts';
import { lockHolds, readDueHolds, readHolds } from './load-holds.ts';
import { countBudgets, readLimits } from './load-limits.ts';
import type { BatchResult, QueuedOperation } from './operation.ts';
import { lateCustomers } from './overdue.ts';
import { readEventRows } from './row-sets.ts';
import { lockShared, sharedPart } from './shared-gauges.ts';
import { type SnapshotHold, StaleSnapshotError, type UsageSnapshot, usageSnapshots } from './snapshots.ts';
import { readCounters } from './sourced.ts';
import { readValues } from './values.ts';
import { hintUsage, sharedChanges, usageParts } from './write.ts';

// Transaction that records a batch of usage. Either locks and reads the rows, or locks cached rows and
// verifies their versions. Decides usage events in order of arrival, creates responses, and then sends all
// statements together. The first statements store the responses under their idempotency keys, which claims
// the keys.

/** Thrown if the customers' due deadlines must be executed before usage can be recorded. */
export class OverdueError extends Error {
  readonly customerIds: readonly string[];

  constructor(customerIds: readonly string[]) {
    super('Deadlines are due before the usage can be recorded.');
    this.customerIds = customerIds;
  }
}

export type BatchOptions = {
  /**
   * Whether keys are looked up before writing. If not, the write fails in the rare case that a key was
   * already used.
   */
  readonly looksUpKeys: boolean;
  /** Whether the batch may be decided on cached rows without reading them. */
  readonly usesSnapshot: boolean;
  /** Maximum time to wait for a concurrent transaction that uses one of the keys. */
  readonly lockTimeoutMs: number;
  /** Called with true as soon as the keys may have been stored. */
  readonly onBegun: (hasBegun: boolean) => void;
  /** Whether due deadlines were executed before this attempt. */
  readonly isCaughtUp: boolean;
  /** Whether shared gauges are locked before the decision. Otherwise usage is assumed to fit into them. */
  readonly isExact: boolean;
};

/** Rows that determine the result of a batch, and the conditions for writing the batch. */
type BatchInput = DecisionRows & {
  readonly keysInUse: ReadonlyMap<string, FoundKey>;
  /** Returns statements that fail unless the rows are still current. */
  readonly conditions: () => Promise<readonly WritePart[]>;
};

type BatchDone = {
  readonly results: ReadonlyMap<QueuedOperation, BatchResult<unknown>>;
  readonly failures: ReadonlyMap<QueuedOperation, unknown>;
  /** ID of the transaction that wrote the batch. */
  readonly stamp: string;
  /** Whether a shared gauge that was locked has little room left. */
  readonly isTight: boolean;
};

const keysOf = (operations: readonly QueuedOperation[]): KeyRequest[] =>
  operations.flatMap(({ key }) => (key === null ? [] : [key]));

/** Reads all data for a batch with statements that are sent together. */
const readAhead =
  (
    { app, environment }: Context,
    operations: readonly QueuedOperation[],
    { looksUpKeys, lockTimeoutMs, onBegun, isExact }: BatchOptions,
  ): Lead<BatchInput> =>
  async (sql, query) => {
    onBegun(false);
    const needs = needsOf(operations);
    const keyTerms = { now: app.wall.now(), lockTimeoutMs };
    const keys = looksUpKeys ? keysOf(operations) : [];
    const [keysInUse, rows] = await Promise.all([
      findKeysInUse(query, { environmentId: environment.id }, keys, keyTerms, app.secrets),
      readUsage(sql, query, needs, 'record', firstLots),
    ]);
    onBegun(true);
    return {
      keysInUse,
      needs,
      rows,
      readEvents: null,
      readLots: (ids, limit) => readLots(sql, ids, limit),
      readLimits: (limited) => readLimits(sql, limited),
      countBudgets: (customerIds) => countBudgets(sql, customerIds),
      readRates: (currencies, period) => readConversion(sql, currencies, period),
      readShared: isExact ? (shared) => lockShared(sql, shared) : null,
      readValues: (ids) => readValues(sql, ids),
      readCells: (windows) => readCells(sql, windows),
      readCounters: (names) => readCounters(sql, names),
      readLevels: (names) => readLevels(sql, names),
      readHolds: (references) => readHolds(sql, references),
      lockHolds: (ids) => lockHolds(sql, ids),
      readDue: (ids, now) => readDueHolds(sql, ids, now),
      due: null,
      conditions: async () => [],
    };
  };

/** Returns the responses to store by idempotency key. */
const keyedResults = ({ responses }: DecidedBatch): KeyedResult[] =>
  [...responses].flatMap(([{ key }, responded]) =>
    key === null || 'error' in responded || responded.isUndone || responded.stored === null
      ? []
      : [{ ...key, result: responded.stored }],
  );

/**
 * Writes a batch and ends the transaction with statements that are sent together: the verification of
 * cached rows, the responses by key, the addition to shared gauges, and the recorded usage, starting with the statement that reserves
 * numbers. Keys come first, because the counter row blocks other transactions. If keys were looked up,
 * records usage only when no concurrent transaction can have stored one of the keys. Returns the
 * transaction ID, which becomes the version of the written rows.
 */
async function writeBatch(
  { transaction, environment, sql, wall }: TransactionContext,
  conditions: readonly WritePart[],
  results: readonly KeyedResult[],
  usage: readonly WritePart[],
  shared: WritePart | null,
  { looksUpKeys, lockTimeoutMs }: BatchOptions,
): Promise<string> {
  const verified = writeTogether(sql, conditions);
  const terms = { now: wall.now(), lockTimeoutMs, wereLookedUp: looksUpKeys };
  const stored = storeResults(transaction.query, environment.id, results, terms);
  if (looksUpKeys) await together([verified, stored]);
  const last: Query = (text, params = []) => transaction.last(text, [environment.id, ...params]);
  const added = shared === null ? null : sql(shared.text, shared.params);
  const [numbers, ...rows] = usage;
  const numbered = numbers === undefined ? null : sql<{ stamp: string }>(numbers.text, numbers.params);
  await together([
    verified,
    stored,
    Promise.resolve(added),
    Promise.resolve(numbered),
    writeTogether(sql, rows, last),
  ]);
  const [number] = (await numbered) ?? [];
  return number?.stamp ?? '';
}

/**
 * Decides the operations whose keys are unused, and writes them in the open transaction. Throws
 * `unique_violation` for a used key, `KeyTakenError` if keys were looked up and a concurrent transaction
 * stored one of them, and `staleSnapshot` if cached rows have changed.
 */
async function decideAndWrite(
  tx: TransactionContext,
  operations: readonly QueuedOperation[],
  input: BatchInput,
  hold: SnapshotHold,
  options: BatchOptions,
): Promise<BatchDone> {
  const late = options.isCaughtUp ? [] : await lateCustomers(tx, input.rows);
  if (late.length > 0) throw new OverdueError(late);
  const results = new Map<QueuedOperation, BatchResult<unknown>>();
  const free: QueuedOperation[] = [];
  for (const operation of operations) {
    const found = operation.key === null ? undefined : input.keysInUse.get(operation.key.key);
    if (found === undefined) free.push(operation);
    else results.set(operation, { found });
  }
  const decided = await decideBatch(tx, free, input);
  const { rows, details, book } = decided;
  hold.decide({ needs: input.needs, rows, details, book, simulatedTime: tx.environment.simulatedTime });
  const now = tx.wall.now();
  const version = details.templates === null ? null : (rows.sets.numbers[0]?.limitVersion ?? null);
  const usage = usageParts(book, { now, isRealTime: isRealTime(tx) }, version);
  const changes = sharedChanges(book);
  const shared = changes.length === 0 ? null : sharedPart(changes, now, !options.isExact);
  const keyed = keyedResults(decided);
  if (usage.length > 0) hintUsage(tx, book);
  const stamp = await writeBatch(tx, await input.conditions(), keyed, usage, shared, options);
  const failures = new Map<QueuedOperation, unknown>();
  for (const [operation, responded] of decided.responses) {
    if ('error' in responded) failures.set(operation, responded.error);
    else results.set(operation, { value: responded.value });
  }
  return { results, failures, stamp, isTight: options.isExact && isTight(book) };
}

/** Returns true if a gauge has less room than four batches like this one ask for (LIM-91). */
const isTight = ({ limits, now }: UsageBook): boolean =>
  limits?.rows.shared.isTight(4n, now.getTime()) === true;

const afterReading = (
  ctx: Context,
  operations: readonly QueuedOperation[],
  hold: SnapshotHold,
  options: BatchOptions,
): Promise<BatchDone> =>
  inTransaction(ctx, (tx, input) => decideAndWrite(tx, operations, input, hold, options), {
    lead: readAhead(ctx, operations, options),
  }).catch((error: unknown) => {
    throw isRaised(error, 'staleSnapshot')
      ? new StaleSnapshotError('The limits have changed.', { cause: error })
      : error;
  });

/**
 * Converts an error from a batch that was decided on cached rows. Only errors about keys, event IDs, and lock
 * timeouts are reliable. Outdated rows can cause all other errors.
 */
const onSnapshot = (cause: unknown): unknown =>
  isAboutRows(cause) && !isUniqueViolation(cause) && !isLockTimeout(cause) && !isRaised(cause, 'limitMoved')
    ? new StaleSnapshotError('The snapshot may be stale.', { cause })
    : cause;

/** Decides a batch on cached rows. The write fails if a row has changed. */
async function withoutReading(
  ctx: Context,
  operations: readonly QueuedOperation[],
  snapshot: UsageSnapshot,
  hold: SnapshotHold,
  options: BatchOptions,
): Promise<BatchDone> {
  const { rows, simulatedTime, lock, verification } = snapshot;
  const needs = needsOf(operations);
  const lead: Lead<void> = (sql) => lock(sql);
  const begin = (tx: TransactionContext) => {
    options.onBegun(true);
    /** Reads rows when previous batches have been committed. The lock prevents changes by other transactions. */
    const locked =
      <Args extends readonly unknown[], Rows>(read: (sql: Query, ...args: Args) => Promise<Rows>) =>
      async (...args: Args): Promise<Rows> => {
        await verification();
        return read(tx.sql, ...args);
      };
    const readEvents = async (sql: Query) => (await readEventRows(sql, [textArray(needs.eventIds)])).events;
    return decideAndWrite(
      tx,
      operations,
      {
        keysInUse: new Map(),
        needs,
        rows,
        readEvents: locked(readEvents),
        readLots: locked(readLots),
        readLimits: locked(readLimits),
        countBudgets: locked(countBudgets),
        readRates: locked(readConversion),
        readShared: options.isExact ? locked(lockShared) : null,
        readValues: locked(readValues),
        readCells: locked(readCells),
        readCounters: locked(readCounters),
        readLevels: locked(readLevels),
        readHolds: locked(readHolds),
        lockHolds: locked(lockHolds),
        readDue: locked(readDueHolds),
        due: null,
        conditions: verification,
      },
      hold,
      options,
    );
  };
  return inTransaction(ctx, begin, { lead, assumedTime: simulatedTime }).catch((error: unknown) => {
    throw onSnapshot(error);
  });
}

/**
 * Records operations in one transaction and settles each operation's promise. Returns true if a shared gauge has little room left, so
 * that the next batch must be decided exactly. Throws if the operations can't be written together.
 */
export async function recordBatch(
  ctx: Context,
  operations: readonly QueuedOperation[],
  options: BatchOptions,
): Promise<boolean> {
  const needs = needsOf(operations);
  const requests = operations.flatMap((operation) => operation.requests);
  const { usesSnapshot, looksUpKeys } = options;
  // A batch that looks up keys may wait for a concurrent transaction. Later batches must not wait for it.
  const terms = { isUsable: usesSnapshot, isFollowed: !looksUpKeys };
  const hold = usageSnapshots(ctx.app).take(ctx.environment.id, needs, requests, terms);
  let done: BatchDone | null = null;
  try {
    const snapshot = await hold.snapshot();
    done = await (snapshot === null
      ? afterReading(ctx, operations, hold, options)
      : withoutReading(ctx, operations, snapshot, hold, options));
  } finally {
    hold.end(done?.stamp ?? null);
  }
  for (const [operation, result] of done.results) operation.settle(result);
  for (const [operation, error] of done.failures) operation.fail(error, true);
  return done.isTight;
}
