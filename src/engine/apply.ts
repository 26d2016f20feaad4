import type { Context, TransactionContext } from '../context.ts';
import { nextMidnight } from '../domain/period.ts';
import type { ChangeSet, DeadlineRow } from '../domain/subscription/state/aggregate.ts';
import type { TableName } from '../domain/subscription/state/tables.ts';
import { type OriginatedEvent, storingEvents, takeNumbers } from '../outbox/write.ts';
import {
  type BulkRow,
  type BulkWrite,
  ensuring,
  inserting,
  updating,
  upserting,
  writeInOrder,
} from '../platform/db/bulk.ts';
import type { ModelName } from '../platform/db/rows.ts';
import { wakeEnvironment, workTopic } from '../platform/queue/lease.ts';
import { together } from '../platform/together.ts';
import { hintEvents } from '../transaction.ts';
import { endPortalSessions } from './deletions.ts';
import { requestDetachments } from './detachments.ts';
import { eventsToStore, writtenEvents } from './events.ts';
import { countNumbers, type NumberedRows, numberRows } from './number.ts';
import { frozenParties } from './parties.ts';
import { countRedemptions } from './promo-store.ts';
import { storedTables, writtenTables } from './tables.ts';

/** Deadlines to put, those of new subscriptions with the seq their subject has just received. */
function deadlineRows(put: readonly DeadlineRow[], rows: NumberedRows): BulkRow<'Deadline'>[] {
  const seqs = new Map(rows.subscriptions.added.map(({ id, seq }) => [id, seq]));
  return put.map((row) => {
    const subjectSeq = row.subjectSeq ?? seqs.get(row.subscriptionId ?? '');
    if (subjectSeq === undefined) throw new Error(`The subject of the deadline ${row.id} is unknown.`);
    return { ...row, subjectSeq };
  });
}

async function removeDeadlines(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await ctx.sql(`DELETE FROM "Deadline" WHERE "environmentId" = $1 AND id = ANY($2)`, [ids]);
}

async function readyDeadlines(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.sql(
    `UPDATE "Deadline" SET state = 'ready', attempts = 0, "notBefore" = NULL WHERE "environmentId" = $1 AND state = 'parked' AND id = ANY($2)`,
    [ids],
  );
}

/** Whether the environment lives in real time: live, or a sandbox whose clock was never moved (BIL-50). */
export const isRealTime = (ctx: Context): boolean => ctx.livemode || ctx.environment.simulatedTime === null;

/** The midnights at which funds just captured are released. */
const releaseTimes = (rows: NumberedRows): Date[] =>
  [...rows.transactions.added, ...rows.transactions.changed].flatMap(({ status, availableAt }) =>
    status === 'succeeded' && availableAt !== null ? [nextMidnight(availableAt)] : [],
  );

async function wake(
  ctx: TransactionContext,
  put: readonly DeadlineRow[],
  ready: readonly string[],
  releases: readonly Date[],
  hasRequests: boolean,
): Promise<void> {
  const { transaction } = ctx;
  // Providers are asked by operational time, whatever the clock of a sandbox says.
  const hasDue = isRealTime(ctx) && put.length + ready.length + releases.length > 0;
  if (!hasDue && !hasRequests) return;
  const now = ctx.wall.now();
  const dueTimes = hasDue
    ? [...put.filter(({ state }) => state === 'ready').map(({ dueAt }) => dueAt), ...releases]
    : [];
  const isNow = hasRequests || (hasDue && ready.length > 0);
  const earliest = Math.min(
    ...dueTimes.map((at) => at.getTime()),
    isNow ? now.getTime() : Number.POSITIVE_INFINITY,
  );
  if (earliest === Number.POSITIVE_INFINITY) return;
  await wakeEnvironment(transaction.query, ctx.environment.id, new Date(earliest));
  if (earliest <= now.getTime())
    transaction.afterCommit(() => ctx.app.pubsub.hint(workTopic(ctx.environment.id)));
}

type Step = readonly [count: number, write: () => BulkWrite];

/** The writes of one table. */
function tableSteps(table: TableName, rows: NumberedRows): Step[] {
  const entry: { readonly model: ModelName; readonly addsFirst?: true } = storedTables[table];
  // The entry's type has checked that rows of the table fill the columns of its model.
  const { added, changed } = rows[table] as { [flag in 'added' | 'changed']: BulkRow<ModelName>[] };
  const insert: Step = [added.length, () => inserting(entry.model, added)];
  const update: Step = [changed.length, () => updating(entry.model, changed)];
  return entry.addsFirst === true ? [insert, update] : [update, insert];
}

/** The bulk writes in an order that satisfies foreign keys and the unique indexes: what makes room comes before what takes it. */
function writes(
  sets: readonly ChangeSet[],
  rows: NumberedRows,
  parties: readonly BulkRow<'InvoiceParty'>[],
  events: readonly OriginatedEvent[],
  firstPosition: bigint,
): (() => BulkWrite)[] {
  const put = sets.flatMap((set) => set.deadlines.put);
  const steps = writtenTables.flatMap((table): Step[] => [
    // Invoices refer to their parties.
    ...(table === 'invoices' ? [[parties.length, () => ensuring('InvoiceParty', parties)] as const] : []),
    ...tableSteps(table, rows),
  ]);
  steps.push([put.length, () => upserting('Deadline', deadlineRows(put, rows))]);
  steps.push([events.length, () => storingEvents(events, firstPosition)]);
  return steps.filter(([count]) => count > 0).map(([, write]) => write);
}

/**
 * Writes many change sets in one open transaction, in a number of statements that does not depend on how many there are. Sequence numbers,
 * invoice numbers and event positions are taken, and active subscriptions counted, in one statement and follow the order of the change sets, which is that of their subjects'
 * seq. The subjects' customers must be locked. Deadlines wake the worker; events are hinted at after the commit. Calls `onSent` once the rows are under way.
 */
export async function apply(
  ctx: TransactionContext,
  sets: readonly ChangeSet[],
  onSent?: () => void,
): Promise<void> {
  const { transaction } = ctx;
  const remove = sets.flatMap((set) => set.deadlines.remove);
  const ready = sets.flatMap((set) => set.deadlines.ready);
  const [, , drafts] = await together([
    removeDeadlines(ctx, remove),
    readyDeadlines(ctx, ready),
    eventsToStore(ctx, sets),
  ]);
  const counts = countNumbers(sets, drafts);
  const hasNumbers = Object.values(counts).some((count) => count !== 0);
  const numbers = hasNumbers
    ? await takeNumbers(transaction.query, ctx.environment.id, counts)
    : { seq: 0n, invoiceNumber: 0n, position: 0n };
  const parties = frozenParties(sets);
  const rows = numberRows(sets, numbers, parties.byInvoice, drafts);
  const events = await writtenEvents(ctx, drafts, rows);
  const put = sets.flatMap((set) => set.deadlines.put);
  await writeInOrder(ctx.sql, writes(sets, rows, parties.rows, events, numbers.position), onSent);
  const hasRequests = await requestDetachments(ctx, rows);
  await together([
    countRedemptions(ctx.sql, rows.redemptions.added),
    endPortalSessions(ctx, rows),
    wake(ctx, put, ready, releaseTimes(rows), hasRequests),
  ]);
  // A count may change without an event; live fields look then too.
  if (events.length > 0 || rows.countEvents.added.length > 0) hintEvents(ctx);
}
