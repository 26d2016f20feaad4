import { deadlineFailed } from '../domain/events/deadline-events.ts';
import type { ChargeRequest } from '../domain/payments/provider.ts';
import { commandOf } from '../domain/subscription/decision/deadline-command.ts';
import type { AttemptRow } from '../domain/subscription/payments/charge-attempt.ts';
import type {
  Aggregate,
  ChangeSet,
  CustomerRow,
  DeadlineRow,
  ItemDetails,
} from '../domain/subscription/state/aggregate.ts';
import { retryDelayMs } from '../domain/subscription/state/deadlines.ts';
import { writeOrBisect } from '../platform/db/savepoint.ts';
import type { Context, TransactionContext } from '../request/context.ts';
import { recordEvents } from '../request/transaction.ts';
import { apply } from './apply.ts';
import { recordAttempts } from './attempts.ts';
import { decisionDeps } from './charge.ts';
import { decideDeadline, hiddenDeadlineError } from './deadline.ts';
import { loadAggregates } from './load/load.ts';

/** Result of a deadline in a batch. `stale`: the deadline was deleted, rescheduled, or put on hold before its customer was locked. */
export type Executed = {
  readonly deadline: DeadlineRow;
  readonly customerName: string;
  readonly status: 'completed' | 'failed' | 'parked' | 'stale';
  readonly item: ItemDetails | null;
  /** Reason for the failure, shown to the organization. `null` unless the deadline failed. */
  readonly error: string | null;
  /** Customer whose ID is reported with the failure. `null` if the customer doesn't exist. */
  readonly customer: Pick<CustomerRow, 'id' | 'externalId'> | null;
};

/**
 * Results of a batch's deadlines, in order, and the attempts to send to remote providers after the commit.
 */
export type BatchResult = {
  readonly executed: readonly Executed[];
  readonly attempts: readonly AttemptRow[];
};

type Decided = Executed & { readonly changes: ChangeSet | null; readonly remote: readonly ChargeRequest[] };

const isCurrent = (aggregate: Aggregate, deadline: DeadlineRow): boolean =>
  aggregate.deadlines.some(
    ({ id, state, dueAt }) =>
      id === deadline.id && state === 'ready' && dueAt.getTime() === deadline.dueAt.getTime(),
  );

function decideDeadlines(
  tx: Context,
  due: readonly DeadlineRow[],
  aggregates: ReadonlyMap<string, Aggregate>,
  now: Date,
): Decided[] {
  const deps = decisionDeps(tx);
  return due.map((deadline): Decided => {
    const aggregate = aggregates.get(deadline.customerId);
    const customerName = aggregate?.customer.fullName ?? '';
    const customer = aggregate?.customer ?? null;
    const base = { deadline, customerName, customer, status: 'completed', item: null, error: null } as const;
    if (aggregate === undefined || !isCurrent(aggregate, deadline))
      return { ...base, status: 'stale', changes: null, remote: [] };
    const { thrown, status, item, error, changes, remote } = decideDeadline(
      tx.app.gateways,
      aggregate,
      deadline,
      now,
      deps,
    );
    if (thrown !== null)
      tx.log.error({ error: thrown, deadline: deadline.id }, 'A deadline could not be decided.');
    return { ...base, status, item, error, changes, remote };
  });
}

/**
 * Writes decisions. If the database rejects the rows of a deadline, that deadline fails without changes.
 * Calls `onSent` once all writes have been sent.
 */
async function applyDecided(
  tx: TransactionContext,
  decided: readonly Decided[],
  onSent: () => void,
): Promise<Decided[]> {
  const { transaction } = tx;
  const writable = decided.flatMap((one) =>
    one.changes === null ? [] : [{ id: one.deadline.id, changes: one.changes }],
  );
  const rejected = await writeOrBisect(transaction.query, writable, (part) =>
    apply(
      tx,
      part.map(({ changes }) => changes),
      onSent,
    ),
  );
  if (rejected.length === 0) return [...decided];
  for (const { item, error } of rejected)
    tx.log.error({ error, deadline: item.id }, 'The changes that a deadline made could not be written.');
  const ids = new Set(rejected.map(({ item }) => item.id));
  return decided.map((one) =>
    ids.has(one.deadline.id)
      ? { ...one, status: 'failed', item: null, error: hiddenDeadlineError, changes: null, remote: [] }
      : one,
  );
}

/** Number of deadlines that are processed while the previous part of the batch is being written. */
const partSize = 125;

/** Splits deadlines into parts and processes each part while the database writes the previous one. */
async function decideAndWrite(
  tx: TransactionContext,
  due: readonly DeadlineRow[],
  aggregates: ReadonlyMap<string, Aggregate>,
  now: Date,
): Promise<Decided[]> {
  const done: Decided[] = [];
  let writing: Promise<Decided[]> = Promise.resolve([]);
  try {
    for (let begin = 0; begin < due.length; begin += partSize) {
      const decided = decideDeadlines(tx, due.slice(begin, begin + partSize), aggregates, now);
      done.push(...(await writing));
      const sent = Promise.withResolvers<void>();
      writing = applyDecided(tx, decided, sent.resolve);
      await Promise.race([sent.promise, writing]);
    }
  } finally {
    // Wait for the write, because the connection must not be used after its transaction has ended.
    await writing.catch(() => undefined);
  }
  return [...done, ...(await writing)];
}

async function setParked(tx: TransactionContext, executed: readonly Executed[]): Promise<void> {
  const ids = executed.filter(({ status }) => status === 'parked').map(({ deadline }) => deadline.id);
  if (ids.length > 0)
    await tx.sql(`UPDATE "Deadline" SET state = 'parked' WHERE "environmentId" = $1 AND id = ANY($2)`, [ids]);
}

/**
 * Caller that processes deadlines: the worker, which inquires about its own attempts after a restart, or an API
 * operation that runs overdue deadlines.
 */
export type Executor = 'worker' | 'operation';

/**
 * Processes due deadlines of different customers in an open transaction. Loads the customers, processes the deadlines,
 * charges through local providers, and writes the changes. Puts deadlines that must wait on hold. Returns failed
 * deadlines instead of throwing; the caller schedules their retry.
 */
export async function executeDeadlines(
  tx: TransactionContext,
  due: readonly DeadlineRow[],
  now: Date,
  executor: Executor = 'worker',
): Promise<BatchResult> {
  const addressed = due.map((row) => ({ customerId: row.customerId, command: commandOf(row, now) }));
  const aggregates = await loadAggregates(tx, addressed);
  const decided = await decideAndWrite(tx, due, aggregates, now);
  await setParked(tx, decided);
  const remote = decided.flatMap((one) => one.remote);
  return {
    executed: decided.map(({ deadline, customerName, customer, status, item, error }) => ({
      deadline,
      customerName,
      customer,
      status,
      item,
      error,
    })),
    attempts: await recordAttempts(tx, remote, executor === 'worker'),
  };
}

/**
 * Emits an event for each deadline that failed for the first time. Failed retries emit no event (BIL-56a).
 */
const announceFailed = (tx: Context, executed: readonly Executed[]): Promise<void> =>
  recordEvents(
    tx,
    executed.flatMap(({ status, deadline, customer, error }) =>
      status === 'failed' && deadline.attempts === 0 && customer !== null
        ? [
            {
              ...deadlineFailed(customer, deadline, error ?? hiddenDeadlineError),
              customerId: customer.id,
              occurredAt: tx.clock.now(),
            },
          ]
        : [],
    ),
  );

/**
 * Postpones failed deadlines and later deadlines of the same subjects until `notBefore`, or until the next
 * clock run if `notBefore` returns `null`. Emits an event for each deadline that failed for the first time.
 * `notBefore` receives the number of attempts so far.
 */
export async function setAside(
  tx: Context,
  executed: readonly Executed[],
  notBefore: (attempts: number) => Date | null,
): Promise<void> {
  const failed = executed.filter(({ status }) => status === 'failed').map(({ deadline }) => deadline);
  if (failed.length === 0) return;
  const rows = failed.map(({ id, subscriptionId, attempts }) => ({
    id,
    subscriptionId,
    attempts: attempts + 1,
    notBefore: notBefore(attempts + 1),
  }));
  await tx.sql(
    `UPDATE "Deadline" t SET state = 'failed', "notBefore" = r."notBefore", attempts = CASE WHEN t.id = r.id THEN r.attempts ELSE t.attempts END
     FROM json_to_recordset($2::json) AS r(id text, "subscriptionId" text, attempts integer, "notBefore" timestamptz)
     WHERE t."environmentId" = $1 AND (t.id = r.id OR t."subscriptionId" = r."subscriptionId") AND t.state = 'ready'`,
    [JSON.stringify(rows)],
  );
  await announceFailed(tx, executed);
}

/** Postpones failed deadlines in real time. The retry delay increases with each failure. */
export const retryLater = (tx: Context, executed: readonly Executed[], now: Date): Promise<void> =>
  setAside(tx, executed, (attempts) => new Date(now.getTime() + retryDelayMs(attempts)));
