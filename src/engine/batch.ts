import type { Context, TransactionContext } from '../context.ts';
import type { AttemptRow } from '../domain/attempt.ts';
import type { ChargeRequest } from '../domain/provider.ts';
import { commandOf } from '../domain/subscription/decision/deadline-command.ts';
import type {
  Aggregate,
  ChangeSet,
  DeadlineRow,
  ItemDetails,
} from '../domain/subscription/state/aggregate.ts';
import { retryDelayMs } from '../domain/subscription/state/deadlines.ts';
import { writeOrBisect } from '../platform/db/savepoint.ts';
import { apply } from './apply.ts';
import { recordAttempts } from './attempts.ts';
import { decisionDeps } from './charge.ts';
import { decideDeadline, hiddenDeadlineError } from './deadline.ts';
import { loadAggregates } from './load.ts';

/** What became of a deadline of a batch. `stale` ones were gone, moved or parked when their customer was locked. */
export type Executed = {
  readonly deadline: DeadlineRow;
  readonly customerName: string;
  readonly status: 'completed' | 'failed' | 'parked' | 'stale';
  readonly item: ItemDetails | null;
  /** A sentence for the tenant, for failed ones. */
  readonly error: string | null;
};

/** The deadlines of a batch in their order, and the attempts that remote providers are called for after the commit. */
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
    const base = { deadline, customerName, status: 'completed', item: null, error: null } as const;
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

/** Writes what was decided; deadlines whose rows the database rejects become failed ones, without their changes. Calls `onSent` once all is under way. */
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
    tx.log.error({ error, deadline: item.id }, 'The changes of a deadline could not be written.');
  const ids = new Set(rejected.map(({ item }) => item.id));
  return decided.map((one) =>
    ids.has(one.deadline.id)
      ? { ...one, status: 'failed', item: null, error: hiddenDeadlineError, changes: null, remote: [] }
      : one,
  );
}

/** How many deadlines are decided while as many are written. */
const partSize = 125;

/** Decides deadlines part by part, each while the database writes the one before it, and writes them in their order. */
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
    // Nothing asks the connection of a transaction that is over.
    await writing.catch(() => undefined);
  }
  return [...done, ...(await writing)];
}

async function setParked(tx: TransactionContext, executed: readonly Executed[]): Promise<void> {
  const ids = executed.filter(({ status }) => status === 'parked').map(({ deadline }) => deadline.id);
  if (ids.length > 0)
    await tx.sql(`UPDATE "Deadline" SET state = 'parked' WHERE "environmentId" = $1 AND id = ANY($2)`, [ids]);
}

/** Who executes deadlines: the worker, which inquires about its attempts itself where it was stopped, or an operation. */
export type Executor = 'worker' | 'door';

/**
 * Executes due deadlines, each of another customer, in an open transaction: loads, decides, charges locally and applies. What must wait is
 * parked. Deadlines that fail are answered, not thrown, and left to the caller, who knows when to try again.
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
    executed: decided.map(({ deadline, customerName, status, item, error }) => ({
      deadline,
      customerName,
      status,
      item,
      error,
    })),
    attempts: await recordAttempts(tx, remote, executor === 'worker'),
  };
}

/**
 * Sets the failed deadlines aside: they and the later ones of their subjects wait until `notBefore`, or until the next clock run when it
 * is null. `notBefore` is asked for with the number of attempts made.
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
}

/** Sets the failed deadlines aside in real time: they run again after a while that grows with every failure. */
export const retryLater = (tx: Context, executed: readonly Executed[], now: Date): Promise<void> =>
  setAside(tx, executed, (attempts) => new Date(now.getTime() + retryDelayMs(attempts)));
