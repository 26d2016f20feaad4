// Processes overdue deadlines before an operation, so that a late worker doesn't affect the customer's state in the
// operation. Needed only in real time, because under a test clock no deadline is due between clock runs.

import { commandOf } from '../domain/subscription/decision/deadline-command.ts';
import type { AttemptRow } from '../domain/subscription/payments/charge-attempt.ts';
import type { Aggregate, DeadlineRow, DecisionDeps } from '../domain/subscription/state/aggregate.ts';
import { comesBefore } from '../domain/subscription/state/deadlines.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { Context, TransactionContext } from '../request/context.ts';
import { asWorker } from '../request/event-origin.ts';
import { isRealTime } from './apply.ts';
import { executeDeadlines, retryLater } from './batch.ts';
import { loadAggregates } from './load/load.ts';
import type { Addressed } from './load/named.ts';
import { reloaded } from './load/reload.ts';
import { timeline, withoutRemotes } from './simulate.ts';

type Aggregates = ReadonlyMap<string, Aggregate>;

const isLate = ({ state, dueAt }: DeadlineRow, now: Date): boolean => state === 'ready' && dueAt <= now;

/** Returns a list with the customer's next due deadline. Empty if no deadline is due. */
function nextOf(deadlines: readonly DeadlineRow[], now: Date): DeadlineRow[] {
  let first: DeadlineRow | null = null;
  for (const row of deadlines)
    if (isLate(row, now) && (first === null || comesBefore(row, first))) first = row;
  return first === null ? [] : [first];
}

const nextOfEach = (aggregates: Aggregates, now: Date): DeadlineRow[] =>
  [...aggregates.values()].flatMap(({ deadlines }) => nextOf(deadlines, now));

/**
 * Customers after their due deadlines were processed, the IDs of customers that had due deadlines, and the provider
 * calls to make before the operation can continue.
 */
export type CaughtUp = {
  readonly aggregates: Aggregates;
  readonly late: ReadonlySet<string>;
  /**
   * Provider calls to make before the operation continues. After these calls, load the customers again, because the
   * results can make more deadlines due.
   */
  readonly attempts: readonly AttemptRow[];
};

/**
 * Processes due deadlines of locked customers in an open transaction as the worker does in real time: in order, and
 * with failed deadlines postponed. `load` reloads the customers. Executes no SQL statement if no deadline is due.
 */
export async function catchUp(
  tx: TransactionContext,
  loaded: Aggregates,
  now: Date,
  load: () => Promise<Aggregates>,
): Promise<CaughtUp> {
  const late = new Set<string>();
  let aggregates = loaded;
  if (!isRealTime(tx)) return { aggregates, late, attempts: [] };
  for (let due = nextOfEach(aggregates, now); due.length > 0; due = nextOfEach(aggregates, now)) {
    const { executed, attempts } = await executeDeadlines(asWorker(tx), due, now, 'operation');
    await retryLater(tx, executed, now);
    for (const { customerId } of due) late.add(customerId);
    if (attempts.length > 0) return { aggregates, late, attempts };
    aggregates = await load();
  }
  return { aggregates, late, attempts: [] };
}

/** Returns the due deadlines of customers in real time, in any order. */
export const readLate = (tx: Context, customerIds: readonly string[], now: Date): Promise<DeadlineRow[]> =>
  tx.sql<DeadlineRow>(
    `SELECT ${columnList('Deadline', 't')} FROM "Deadline" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.state = 'ready' AND t."dueAt" <= $3`,
    [customerIds, now],
  );

/**
 * Processes due deadlines of customers in an open transaction as the worker does in real time, outside any command.
 * Returns the attempts to send to providers.
 */
export async function catchUpCustomers(
  tx: TransactionContext,
  customerIds: readonly string[],
  now: Date,
): Promise<AttemptRow[]> {
  const requested: AttemptRow[] = [];
  for (
    let rows = await readLate(tx, customerIds, now);
    rows.length > 0;
    rows = await readLate(tx, customerIds, now)
  ) {
    const due = [...Map.groupBy(rows, ({ customerId }) => customerId).values()].flatMap((own) =>
      nextOf(own, now),
    );
    const { executed, attempts } = await executeDeadlines(asWorker(tx), due, now, 'operation');
    await retryLater(tx, executed, now);
    requested.push(...attempts);
  }
  return requested;
}

type Row = { readonly id: string };

/** Returns `rows`, preceded by the rows in `all` that aren't in `open`. */
function withClosed<T extends Row>(rows: readonly T[], all: readonly T[], open: readonly T[]): readonly T[] {
  const ids = new Set(open.map(({ id }) => id));
  return [...all.filter(({ id }) => !ids.has(id)), ...rows];
}

/** Add the rows that the deadlines closed, because a command can reference them. */
function withNamed(after: Aggregate, before: Aggregate, now: Date): Aggregate {
  const open = reloaded(before, now);
  return {
    ...after,
    subscriptions: withClosed(after.subscriptions, before.subscriptions, open.subscriptions),
    invoices: withClosed(after.invoices, before.invoices, open.invoices),
    transactions: withClosed(after.transactions, before.transactions, open.transactions),
    lots: withClosed(after.lots, before.lots, open.lots),
  };
}

/**
 * Loads a customer, in an open transaction, as it would be after its due deadlines are processed. Simulates the
 * deadlines in memory without writing, and assumes that remote charges succeed. `null` if the customer doesn't exist.
 */
export async function loadCaughtUp(
  tx: Context,
  customerId: string,
  addressed: readonly Addressed[],
  now: Date,
  deps: DecisionDeps,
): Promise<Aggregate | null> {
  const loaded = (await loadAggregates(tx, addressed)).get(customerId) ?? null;
  if (loaded === null || !isRealTime(tx)) return loaded;
  const due = loaded.deadlines.filter((row) => isLate(row, now));
  if (due.length === 0) return loaded;
  const environmentTasks = due.map((row) => ({ customerId, command: commandOf(row, now) }));
  const before = (await loadAggregates(tx, [...addressed, ...environmentTasks])).get(customerId) ?? loaded;
  const setAside = new Set(before.deadlines.filter(({ state }) => state === 'failed').map(({ id }) => id));
  const isWanted = ({ id }: DeadlineRow): boolean => !setAside.has(id);
  let after = before;
  for (const step of timeline([before], {
    from: now,
    until: now,
    gateways: withoutRemotes(tx.app.gateways),
    deps,
    isWanted,
  })) {
    after = step.aggregate;
  }
  return withNamed(after, before, now);
}
