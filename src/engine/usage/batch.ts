import type { Context, TransactionContext } from '../../context.ts';
import { type WritePart, writeTogether } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
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
import { hintEvents, inTransaction, type Lead } from '../../transaction.ts';
import { type DecidedBatch, type DecisionRows, decideBatch, needsOf } from './decide.ts';
import { readUsage } from './load.ts';
import type { BatchResult, QueuedOperation } from './operation.ts';
import { lateCustomers } from './overdue.ts';
import { readEventRows } from './row-sets.ts';
import { type SnapshotHold, StaleSnapshotError, type UsageSnapshot, usageSnapshots } from './snapshots.ts';
import { usageParts } from './write.ts';

// One transaction that records usage: rows are locked and read, or a snapshot of them is locked and verified; events are
// decided in order of arrival and responses made; then statements that go out together write everything, first the responses under their keys, which
// claims the keys.

/** Something is due for customers before usage of theirs is recorded. */
export class OverdueError extends Error {
  readonly customerIds: readonly string[];

  constructor(customerIds: readonly string[]) {
    super('Something is due first.');
    this.customerIds = customerIds;
  }
}

/** How a batch is recorded. */
export type BatchOptions = {
  /** Whether keys in use are looked up before; otherwise the write fails for one that was used, as hardly any ever is. */
  readonly looksUpKeys: boolean;
  /** Whether it may be decided on a snapshot. */
  readonly usesSnapshot: boolean;
  /** How long a rival with the same key is waited for. */
  readonly lockTimeoutMs: number;
  /** Called with true as soon as keys may be stored. */
  readonly onBegun: (hasBegun: boolean) => void;
  /** Whether what was due has just been executed. */
  readonly isCaughtUp: boolean;
};

/** What a batch is decided on, and what else its write depends on. */
type BatchInput = DecisionRows & {
  readonly keysInUse: ReadonlyMap<string, FoundKey>;
  /** Answers the conditions of the write once they are known. */
  readonly conditions: () => Promise<readonly WritePart[]>;
};

type BatchDone = {
  readonly results: ReadonlyMap<QueuedOperation, BatchResult<unknown>>;
  readonly failures: ReadonlyMap<QueuedOperation, unknown>;
  /** The number of the transaction. */
  readonly stamp: string;
};

const keysOf = (operations: readonly QueuedOperation[]): KeyRequest[] =>
  operations.flatMap(({ key }) => (key === null ? [] : [key]));

/** Reads everything a batch needs, by statements that go out together. */
const readAhead =
  (
    { app, environment }: Context,
    operations: readonly QueuedOperation[],
    { looksUpKeys, lockTimeoutMs, onBegun }: BatchOptions,
  ): Lead<BatchInput> =>
  async (sql, query) => {
    onBegun(false);
    const needs = needsOf(operations);
    const keyTerms = { now: app.wall.now(), lockTimeoutMs };
    const keys = looksUpKeys ? keysOf(operations) : [];
    const [keysInUse, rows] = await Promise.all([
      findKeysInUse(query, { environmentId: environment.id }, keys, keyTerms, app.secrets),
      readUsage(sql, query, needs, 'record'),
    ]);
    onBegun(true);
    return { keysInUse, needs, rows, readEvents: null, conditions: async () => [] };
  };

/** What is stored under the keys of operations. */
const keyedResults = ({ responses }: DecidedBatch): KeyedResult[] =>
  [...responses].flatMap(([{ key }, responded]) =>
    key === null || 'error' in responded || responded.isUndone || responded.stored === null
      ? []
      : [{ ...key, result: responded.stored }],
  );

/**
 * Writes a batch by statements that are sent together and end the transaction: what its snapshot is verified by, the responses under their keys, and
 * what was recorded, of which the taking of numbers is the first. Keys are met before that, which others wait for. Where keys were looked up, nothing is recorded before it is known
 * that no rival was first. Answers the number of the transaction, which its rows are stored with.
 */
async function writeBatch(
  { transaction, environment, sql, wall }: TransactionContext,
  conditions: readonly WritePart[],
  results: readonly KeyedResult[],
  usage: readonly WritePart[],
  { looksUpKeys, lockTimeoutMs }: BatchOptions,
): Promise<string> {
  const verified = writeTogether(sql, conditions);
  const terms = { now: wall.now(), lockTimeoutMs, wereLookedUp: looksUpKeys };
  const stored = storeResults(transaction.query, environment.id, results, terms);
  if (looksUpKeys) await together([verified, stored]);
  const last: Query = (text, params = []) => transaction.last(text, [environment.id, ...params]);
  const [numbers, ...rows] = usage;
  const numbered = numbers === undefined ? null : sql<{ stamp: string }>(numbers.text, numbers.params);
  await together([verified, stored, Promise.resolve(numbered), writeTogether(sql, rows, last)]);
  const [number] = (await numbered) ?? [];
  return number?.stamp ?? '';
}

/**
 * Decides the operations whose keys are free and writes everything in the open transaction. Fails with `unique_violation` for a key used before, with
 * KeyTakenError where that was looked up and a rival was first, and with `staleSnapshot`.
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
  const usage = usageParts(book);
  const keyed = keyedResults(decided);
  if (usage.length > 0) hintEvents(tx);
  const stamp = await writeBatch(tx, await input.conditions(), keyed, usage, options);
  const failures = new Map<QueuedOperation, unknown>();
  for (const [operation, responded] of decided.responses) {
    if ('error' in responded) failures.set(operation, responded.error);
    else results.set(operation, { value: responded.value });
  }
  return { results, failures, stamp };
}

const afterReading = (
  ctx: Context,
  operations: readonly QueuedOperation[],
  hold: SnapshotHold,
  options: BatchOptions,
): Promise<BatchDone> =>
  inTransaction(ctx, (tx, input) => decideAndWrite(tx, operations, input, hold, options), {
    lead: readAhead(ctx, operations, options),
  });

/** A failure of a batch that was decided on a snapshot. Only that a key or an event id is taken, or the database in trouble, can be relied on. */
const onSnapshot = (cause: unknown): unknown =>
  isAboutRows(cause) && !isUniqueViolation(cause) && !isLockTimeout(cause)
    ? new StaleSnapshotError('The snapshot may be stale.', { cause })
    : cause;

/** Decides on a snapshot, and writes what is rejected where any of it has changed. */
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
    const readEvents = async () => {
      // What the batches before recorded is among them, and nothing else comes behind the lock.
      await verification();
      return (await readEventRows(tx.sql, [textArray(needs.eventIds)])).events;
    };
    const conditions = async () => [await verification()];
    return decideAndWrite(
      tx,
      operations,
      { keysInUse: new Map(), needs, rows, readEvents, conditions },
      hold,
      options,
    );
  };
  return inTransaction(ctx, begin, { lead, assumedTime: simulatedTime }).catch((error: unknown) => {
    throw onSnapshot(error);
  });
}

/** Records operations in one transaction and settles each; throws where they cannot all be written together. */
export async function recordBatch(
  ctx: Context,
  operations: readonly QueuedOperation[],
  options: BatchOptions,
): Promise<void> {
  const needs = needsOf(operations);
  const requests = operations.flatMap((operation) => operation.requests);
  const { usesSnapshot, looksUpKeys } = options;
  // One that looks keys up may wait for a rival; those that follow it do not.
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
}
