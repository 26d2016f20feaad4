import type { ChangeSet, DeadlineRow } from '../domain/subscription/state/aggregate.ts';
import { runsAtStoppedClock } from '../domain/subscription/state/deadlines.ts';
import type { TableName } from '../domain/subscription/state/tables.ts';
import { nextMidnight } from '../domain/time/period.ts';
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
import { wakeEnvironment } from '../platform/queue/lease.ts';
import { together } from '../platform/together.ts';
import type { Context, TransactionContext } from '../request/context.ts';
import { hintEvents, hintWork } from '../request/transaction.ts';
import { carryEvents, priceCorrections } from './effects/carried-usage.ts';
import { endPortalSessions } from './effects/deletions.ts';
import { requestDetachments } from './effects/detachments.ts';
import { countNumbers, type NumberedRows, numberRows } from './effects/number.ts';
import { frozenParties } from './effects/parties.ts';
import { countRedemptions } from './effects/promo-store.ts';
import { writeSortValues } from './effects/sort-values.ts';
import { eventsToStore, writtenEvents } from './events.ts';
import { storedTables, writtenTables } from './load/tables.ts';

/**
 * Returns the deadline rows to write. Deadlines for new subscriptions use the `seq` that was just assigned to
 * the subscription.
 */
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

/** Deletes the stored lines of revised invoices. */
async function clearLines(ctx: Context, invoiceIds: readonly string[]): Promise<void> {
  if (invoiceIds.length > 0)
    await ctx.sql(`DELETE FROM "InvoiceLine" WHERE "environmentId" = $1 AND "invoiceId" = ANY($2)`, [
      invoiceIds,
    ]);
}

async function readyDeadlines(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.sql(
    `UPDATE "Deadline" SET state = 'ready', attempts = 0, "notBefore" = NULL WHERE "environmentId" = $1 AND state = 'parked' AND id = ANY($2)`,
    [ids],
  );
}

/**
 * Returns true if the environment runs in real time: in the live environment, or in a sandbox whose clock was never
 * advanced (BIL-50).
 */
export const isRealTime = (ctx: Context): boolean => ctx.livemode || ctx.environment.simulatedTime === null;

/** Returns the midnights when newly captured funds are released. */
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
  // Deadlines and releases wake the worker only in real time, because under a test clock a clock run processes them, except
  // for due automatic top-ups. Requests to providers always wake the worker in real time.
  const hasDue = isRealTime(ctx) && put.length + ready.length + releases.length > 0;
  const hasTopUp = put.some((row) => runsAtStoppedClock(row) && row.dueAt <= ctx.clock.now());
  if (!hasDue && !hasRequests && !hasTopUp) return;
  const now = ctx.wall.now();
  const dueTimes = hasDue
    ? [...put.filter(({ state }) => state === 'ready').map(({ dueAt }) => dueAt), ...releases]
    : [];
  const isNow = hasRequests || hasTopUp || (hasDue && ready.length > 0);
  const earliest = Math.min(
    ...dueTimes.map((at) => at.getTime()),
    isNow ? now.getTime() : Number.POSITIVE_INFINITY,
  );
  if (earliest === Number.POSITIVE_INFINITY) return;
  await wakeEnvironment(transaction.query, ctx.environment.id, new Date(earliest));
  if (earliest <= now.getTime()) hintWork(ctx);
}

function tableSteps(table: TableName, rows: NumberedRows): (() => BulkWrite)[] {
  const entry: { readonly model: ModelName; readonly addsFirst?: true } = storedTables[table];
  // The type of `storedTables` guarantees that the rows match the model's columns.
  const { added, changed } = rows[table] as { [flag in 'added' | 'changed']: BulkRow<ModelName>[] };
  const inserts = added.length > 0 ? [() => inserting(entry.model, added)] : [];
  const updates = changed.length > 0 ? [() => updating(entry.model, changed)] : [];
  return entry.addsFirst === true ? [...inserts, ...updates] : [...updates, ...inserts];
}

/**
 * Returns bulk writes in an order that satisfies foreign keys and unique indexes. Rows that release a unique
 * value are written before rows that take the value.
 */
function writes(
  sets: readonly ChangeSet[],
  rows: NumberedRows,
  parties: readonly BulkRow<'InvoiceParty'>[],
  events: readonly OriginatedEvent[],
  firstPosition: bigint,
): (() => BulkWrite)[] {
  const put = sets.flatMap((set) => set.deadlines.put);
  const steps: (() => BulkWrite)[] = [];
  for (const table of writtenTables) {
    // Parties are written before the invoices that refer to them with foreign keys.
    if (table === 'invoices' && parties.length > 0) steps.push(() => ensuring('InvoiceParty', parties));
    const { added, changed } = rows[table];
    if (added.length + changed.length > 0) steps.push(...tableSteps(table, rows));
  }
  if (put.length > 0) steps.push(() => upserting('Deadline', deadlineRows(put, rows)));
  if (events.length > 0) steps.push(() => storingEvents(events, firstPosition));
  return steps;
}

/**
 * Writes change sets in an open transaction. The number of SQL statements doesn't depend on the number of change sets.
 * One statement reserves sequence numbers, invoice and credit note numbers, and event positions, and updates the number
 * of active subscriptions. Numbers follow the order of the change sets, which must be sorted by the `seq` of their
 * subjects. The customers must be locked. Deadlines wake the worker, and notifications about new events are sent after
 * the commit. Calls `onSent` once the row writes have been sent to the database.
 */
export async function apply(
  ctx: TransactionContext,
  sets: readonly ChangeSet[],
  onSent?: () => void,
): Promise<void> {
  const { transaction } = ctx;
  const remove = sets.flatMap((set) => set.deadlines.remove);
  const ready = sets.flatMap((set) => set.deadlines.ready);
  const cleared = sets.flatMap((set) => set.clearedInvoices);
  const [, , , drafts] = await together([
    clearLines(ctx, cleared),
    removeDeadlines(ctx, remove),
    readyDeadlines(ctx, ready),
    eventsToStore(ctx, sets),
  ]);
  const counts = countNumbers(sets, drafts);
  const hasNumbers = Object.values(counts).some((count) => count !== 0);
  const numbers = hasNumbers
    ? await takeNumbers(transaction.query, ctx.environment.id, counts)
    : { seq: 0n, invoiceNumber: 0n, creditNoteNumber: 0n, position: 0n };
  const parties = frozenParties(sets);
  const rows = numberRows(sets, numbers, parties.byInvoice, drafts);
  const events = await writtenEvents(ctx, drafts, rows);
  const put = sets.flatMap((set) => set.deadlines.put);
  await writeInOrder(ctx.sql, writes(sets, rows, parties.rows, events, numbers.position), onSent);
  const hasRequests = await requestDetachments(ctx, rows);
  await together([
    carryEvents(ctx.sql, sets),
    priceCorrections(ctx.sql, sets),
    countRedemptions(ctx.sql, rows.redemptions.added),
    endPortalSessions(ctx, rows),
    writeSortValues(ctx.sql, rows),
    wake(ctx, put, ready, releaseTimes(rows), hasRequests),
  ]);
  // Seats and quota can change without an event, so GraphQL subscriptions must be notified separately.
  if (events.length > 0 || rows.countEvents.added.length > 0) hintEvents(ctx);
}
