import type { SharedChange } from '../../domain/limits/shared.ts';
import type { ConsumptionAccountRow } from '../../domain/rows/usage-rows.ts';
import { topUpDeadline } from '../../domain/subscription/state/deadlines.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import type { TriggeredTopUp } from '../../domain/usage/book-rows.ts';
import { eventsPart, numbersPart, seqBase } from '../../outbox/write.ts';
import {
  type BulkRow,
  partInsert,
  partParameters,
  type WritePart,
  writeTogether,
} from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { ModelName } from '../../platform/db/rows.ts';
import { wakePart } from '../../platform/queue/lease.ts';
import type { Context } from '../../request/context.ts';
import { hintEvents, hintWork } from '../../request/transaction.ts';
import { isRealTime } from '../apply.ts';
import { approvalRow } from './approval-rows.ts';
import { createMissing, limitVersionPart, sharedPart, wakeForCrossings } from './shared-gauges.ts';
import { writeTokenCost } from './token-cost.ts';

const bases = { seq: seqBase };
const eventsInsert = partInsert('UsageEvent', { bases });
const adjustmentsInsert = partInsert('UsageAdjustment', { bases });
const correctionsInsert = partInsert('UsageCorrection', { bases });
const priceChangesInsert = partInsert('UsagePriceChange', { bases });
const entriesInsert = partInsert('ConsumptionEntry', { bases });

// Updates existing counters. Their accounts must be locked. Writes only columns without an index, so that no
// index needs an update.
const countersInsert = partInsert('UsageCounter', {
  bases,
  onConflict: `ON CONFLICT ("environmentId", id) DO UPDATE SET "windowStart" = excluded."windowStart", total = excluded.total,
    consumed = excluded.consumed, waived = excluded.waived, price = excluded.price, recorded = excluded.recorded, crossed = excluded.crossed, covered = excluded.covered,
    meter = excluded.meter, "latestAt" = excluded."latestAt", held = excluded.held, level = excluded.level`,
});

// Updates existing values. The accounts of their subscriptions must be locked.
const valuesInsert = partInsert('UsageValue', {
  onConflict: `ON CONFLICT ("environmentId", id) DO UPDATE SET "windowStart" = excluded."windowStart", count = excluded.count`,
});

// Updates existing totals by dimension values. The accounts of their subscriptions must be locked.
const cellsInsert = partInsert('UsageCell', {
  bases,
  onConflict: `ON CONFLICT ("environmentId", id) DO UPDATE SET "windowStart" = excluded."windowStart", total = excluded.total`,
});

const budgetsInsert = partInsert('Budget', { bases });
const approvalsInsert = partInsert('Approval', {
  bases,
  onConflict: 'ON CONFLICT ("environmentId", id) DO NOTHING',
});
const crossingsInsert = partInsert('LimitCrossing', { bases });

// Updates existing gauges. The accounts of their customers must be locked.
const statesInsert = partInsert('LimitState', {
  onConflict: `ON CONFLICT ("environmentId", id) DO UPDATE SET gauges = excluded.gauges, reached = excluded.reached`,
});

// Updates existing lots. Their accounts must be locked and are updated too, so that the version of an account changes with its lots.
const lotsInsert = partInsert('Lot', {
  bases,
  onConflict: `ON CONFLICT ("environmentId", id) DO UPDATE SET amount = excluded.amount, remaining = excluded.remaining,
    "isOpen" = excluded."isOpen", "expiresAt" = excluded."expiresAt", "drawnWindow" = excluded."drawnWindow",
    "drawnInWindow" = excluded."drawnInWindow"`,
});

/** Updates consumption accounts, whose rows must be locked. */
const accountsPart = (accounts: readonly ConsumptionAccountRow[]): WritePart => ({
  text: `UPDATE "ConsumptionAccount" t SET pools = r.pools::jsonb, "updatedAt" = r."updatedAt"
     FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS r(id, pools, "updatedAt")
     WHERE t."environmentId" = $1 AND t.id = r.id`,
  params: [
    accounts.map(({ id }) => id),
    textArray(accounts.map(({ pools }) => JSON.stringify(pools))),
    accounts.map(({ updatedAt }) => updatedAt.toISOString()),
  ],
});

// Updates existing holds. The accounts of their subscriptions must be locked.
const holdsInsert = partInsert('UsageHold', {
  bases,
  onConflict: `ON CONFLICT ("environmentId", id) DO UPDATE SET status = excluded.status, estimate = excluded.estimate, units = excluded.units,
    price = excluded.price, gauges = excluded.gauges, settled = excluded.settled, "lastEventId" = excluded."lastEventId",
    "expiresAt" = excluded."expiresAt", "dueAt" = excluded."dueAt", "endedAt" = excluded."endedAt"`,
});

// Replaces a scheduled evaluation of an automatic top-up. The accounts must be locked.
const deadlinesInsert = partInsert('Deadline', {
  onConflict: `ON CONFLICT ("environmentId", id) DO UPDATE SET "dueAt" = excluded."dueAt", state = excluded.state,
    attempts = excluded.attempts, "notBefore" = excluded."notBefore", data = excluded.data`,
});

const deadlineOf = ({ subscription, pool, dueAt }: TriggeredTopUp) => {
  const { id, seq } = subscription;
  if (seq === null) throw new Error(`The subscription ${id} isn't stored.`);
  return { ...topUpDeadline(subscription, pool, dueAt), subjectSeq: seq };
};

/** Returns the number of rows without a `seq`. */
const unnumbered = (...rows: readonly (readonly { readonly seq: bigint | null }[])[]): number =>
  rows.flat().filter(({ seq }) => seq === null).length;

/** Returns the changed rows of limits. Empty if no limit and no budget is used. */
function limitRows({ limits, details: { now } }: UsageBook, wall: Date) {
  if (limits === null) return { budgets: [], states: [], crossings: [], approvals: [] };
  const { newBudgets, states, crossings } = limits.rows;
  const approvals = limits.approvals.map((approval) => approvalRow(approval, wall));
  const budgets = newBudgets.created.map((row) => ({
    ...row,
    seq: null,
    name: null,
    metadata: {},
    createdAt: now,
    updatedAt: now,
  }));
  return { budgets, states: [...states.values()], crossings, approvals };
}

/** Returns the changes of gauges that customers share. */
export const sharedChanges = ({ limits }: UsageBook): SharedChange[] => [
  ...(limits?.rows.shared.changes.values() ?? []),
];

/** Number of rows, and the function that creates the statement for the rows. */
type PreparedPart = readonly [count: number, prepare: () => WritePart];

/** Updates the changes of a level by recorded events. The accounts of their subscriptions must be locked. */
const levelChangesPart = (changes: ReadonlyMap<string, bigint>): WritePart => ({
  text: `UPDATE "UsageEvent" t SET "levelChange" = r.change FROM unnest($2::text[], $3::bigint[]) AS r(id, change)
     WHERE t."environmentId" = $1 AND t.id = r.id`,
  params: [textArray([...changes.keys()]), textArray([...changes.values()].map(String))],
});

const insertOf = <M extends ModelName>(text: string, model: M, rows: readonly BulkRow<M>[]): WritePart => ({
  text,
  params: partParameters(model, rows),
});

/** Machine time at which usage is written. `isRealTime` is false under a test clock. */
type WriteTime = { readonly now: Date; readonly isRealTime: boolean };

/** Returns the time at which the worker evaluates triggered top-ups or expires holds. `null` if there's nothing to do. */
function wakeAt({ topUps, holds }: UsageBook, { now, isRealTime }: WriteTime): Date | null {
  if (topUps.size > 0) return now;
  const due = isRealTime
    ? holds.changed.values().flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt.getTime()]))
    : [];
  const first = Math.min(...due);
  return Number.isFinite(first) ? new Date(first) : null;
}

/**
 * Returns the statements that write recorded usage. The first statement reserves numbers. Empty if nothing
 * was recorded. If a version of the limits is given, the second statement raises `staleSnapshot` unless it's current.
 */
export function usageParts(
  book: UsageBook,
  time: WriteTime,
  limitVersion: string | null = null,
): WritePart[] {
  const { events, entries, adjustments, corrections, priceChanges, levelChanges, outbox, topUps } = book;
  const counters = [...book.counters.values()];
  const accounts = [...book.accounts.values()];
  const lots = [...book.lots.values()];
  const values = [...book.values.values()];
  const cells = book.cells.changed();
  const holds = [...book.holds.changed.values()];
  const wake = wakeAt(book, time);
  const { budgets, states, crossings, approvals } = limitRows(book, time.now);
  const shared = sharedChanges(book);
  const numbers =
    events.length +
    unnumbered(
      adjustments,
      corrections,
      priceChanges,
      lots,
      entries,
      counters,
      cells,
      budgets,
      crossings,
      approvals,
      holds,
    );
  // Counts up to 0, which represents the last reserved number.
  let seq = BigInt(1 - numbers);
  const numbered = <T extends { readonly seq: bigint | null }>(row: T): T & { readonly seq: bigint } => ({
    ...row,
    seq: row.seq ?? seq++,
  });
  const stored = events.map((row) => ({ ...row, tokenCost: writeTokenCost(row.tokenCost) }));
  const parts: PreparedPart[] = [
    [events.length, () => insertOf(eventsInsert, 'UsageEvent', stored.map(numbered))],
    [adjustments.length, () => insertOf(adjustmentsInsert, 'UsageAdjustment', adjustments.map(numbered))],
    [corrections.length, () => insertOf(correctionsInsert, 'UsageCorrection', corrections.map(numbered))],
    [levelChanges.size, () => levelChangesPart(levelChanges)],
    [priceChanges.length, () => insertOf(priceChangesInsert, 'UsagePriceChange', priceChanges.map(numbered))],
    [lots.length, () => insertOf(lotsInsert, 'Lot', lots.map(numbered))],
    [entries.length, () => insertOf(entriesInsert, 'ConsumptionEntry', entries.map(numbered))],
    [counters.length, () => insertOf(countersInsert, 'UsageCounter', counters.map(numbered))],
    [cells.length, () => insertOf(cellsInsert, 'UsageCell', cells.map(numbered))],
    [values.length, () => insertOf(valuesInsert, 'UsageValue', values)],
    [budgets.length, () => insertOf(budgetsInsert, 'Budget', budgets.map(numbered))],
    [states.length, () => insertOf(statesInsert, 'LimitState', states)],
    [crossings.length, () => insertOf(crossingsInsert, 'LimitCrossing', crossings.map(numbered))],
    [approvals.length, () => insertOf(approvalsInsert, 'Approval', approvals.map(numbered))],
    [holds.length, () => insertOf(holdsInsert, 'UsageHold', holds.map(numbered))],
    [accounts.length, () => accountsPart(accounts)],
    [
      topUps.size,
      () => ({
        text: deadlinesInsert,
        params: partParameters('Deadline', [...topUps.values()].map(deadlineOf)),
      }),
    ],
    [outbox.length, () => eventsPart(outbox)],
    [wake === null ? 0 : 1, () => wakePart(wake ?? time.now)],
    [shared.length, () => wakeForCrossings(shared, time.now)],
  ];
  const prepared = parts.filter(([count]) => count > 0).map(([, prepare]) => prepare());
  if (prepared.length === 0) return [];
  const verified = limitVersion === null ? [] : [limitVersionPart(limitVersion)];
  return [numbersPart({ seq: numbers, positions: outbox.length }), ...verified, ...prepared];
}

/** Notifies subscribers about the events of recorded usage, and the worker about triggered top-ups, after the commit. */
export function hintUsage(tx: Context, { topUps }: UsageBook): void {
  hintEvents(tx);
  if (topUps.size > 0) hintWork(tx);
}

/** Writes recorded usage in an open transaction. The statements are sent together. */
export async function writeUsage(tx: Context, book: UsageBook): Promise<void> {
  const now = tx.wall.now();
  const parts = usageParts(book, { now, isRealTime: isRealTime(tx) });
  if (parts.length === 0) return;
  const shared = sharedChanges(book);
  if (shared.length > 0) {
    await createMissing(tx.sql, shared);
    parts.unshift(sharedPart(shared, now, false));
  }
  await writeTogether(tx.sql, parts);
  hintUsage(tx, book);
}
