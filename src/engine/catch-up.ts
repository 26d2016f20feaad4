// What falls due comes before what is requested afterwards: where the worker is late, an operation finds its customer as a
// worker in time would have left it. Only real time has such a gap; on a test clock nothing is due between runs.
import type { Context, TransactionContext } from '../context.ts';
import type { AttemptRow } from '../domain/attempt.ts';
import { commandOf } from '../domain/subscription/decision/deadline-command.ts';
import type { Aggregate, DeadlineRow, DecisionDeps } from '../domain/subscription/state/aggregate.ts';
import { comesBefore } from '../domain/subscription/state/deadlines.ts';
import { asWorker } from '../event-origin.ts';
import { columnList } from '../platform/db/bulk.ts';
import { isRealTime } from './apply.ts';
import { executeDeadlines, retryLater } from './batch.ts';
import { loadAggregates } from './load.ts';
import type { Addressed } from './load-named.ts';
import { reloaded } from './reload.ts';
import { timeline, withoutRemotes } from './simulate.ts';

type Aggregates = ReadonlyMap<string, Aggregate>;

const isLate = ({ state, dueAt }: DeadlineRow, now: Date): boolean => state === 'ready' && dueAt <= now;

/** The deadline a customer comes to next, of those due by now; none when nothing is due. */
function nextOf(deadlines: readonly DeadlineRow[], now: Date): DeadlineRow[] {
  let first: DeadlineRow | null = null;
  for (const row of deadlines)
    if (isLate(row, now) && (first === null || comesBefore(row, first))) first = row;
  return first === null ? [] : [first];
}

/** The same for each of the customers. */
const nextOfEach = (aggregates: Aggregates, now: Date): DeadlineRow[] =>
  [...aggregates.values()].flatMap(({ deadlines }) => nextOf(deadlines, now));

/** Customers as they stand once what was due has run, who of them was late, and the calls to providers that come before it continues. */
export type CaughtUp = {
  readonly aggregates: Aggregates;
  readonly late: ReadonlySet<string>;
  /** Where there are any, more may be due once they have their answers, and the customers must be read again. */
  readonly attempts: readonly AttemptRow[];
};

/**
 * Executes in an open transaction, which holds the customers locked, what is due for them in real time, as the worker would: deadline after
 * deadline in their order, failed ones set aside. `load` reads the customers again. Costs no statement where nothing is due.
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
    const { executed, attempts } = await executeDeadlines(asWorker(tx), due, now, 'door');
    await retryLater(tx, executed, now);
    for (const { customerId } of due) late.add(customerId);
    if (attempts.length > 0) return { aggregates, late, attempts };
    aggregates = await load();
  }
  return { aggregates, late, attempts: [] };
}

/** What is due for customers in real time, in no order. */
export const readLate = (tx: Context, customerIds: readonly string[], now: Date): Promise<DeadlineRow[]> =>
  tx.sql<DeadlineRow>(
    `SELECT ${columnList('Deadline', 't')} FROM "Deadline" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t.state = 'ready' AND t."dueAt" <= $3`,
    [customerIds, now],
  );

/**
 * Executes in an open transaction what is due for customers in real time, as the worker would, without an order to follow. Answers what gateways
 * have to be asked for it.
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
    const { executed, attempts } = await executeDeadlines(asWorker(tx), due, now, 'door');
    await retryLater(tx, executed, now);
    requested.push(...attempts);
  }
  return requested;
}

type Row = { readonly id: string };

/** The rows with those of `all` that are not among the `open` ones. */
function withClosed<T extends Row>(rows: readonly T[], all: readonly T[], open: readonly T[]): readonly T[] {
  const ids = new Set(open.map(({ id }) => id));
  return [...all.filter(({ id }) => !ids.has(id)), ...rows];
}

/** The aggregate with what time had no more to do with before, since an order may name it. */
function withNamed(after: Aggregate, before: Aggregate, now: Date): Aggregate {
  const open = reloaded(before, now);
  return {
    ...after,
    subscriptions: withClosed(after.subscriptions, before.subscriptions, open.subscriptions),
    invoices: withClosed(after.invoices, before.invoices, open.invoices),
    transactions: withClosed(after.transactions, before.transactions, open.transactions),
    credits: withClosed(after.credits, before.credits, open.credits),
  };
}

/**
 * Reads in an open transaction the customer that orders are asked about, as it will stand once what is due has run: worked out in memory, and
 * nothing written. Remote gateways are taken to settle. Null when there is no such customer.
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
