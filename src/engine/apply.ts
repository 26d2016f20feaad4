import type { Context } from '../context.ts';
import { nextMidnight } from '../domain/period.ts';
import type { ChangeSet, DeadlineRow } from '../domain/subscription/aggregate.ts';
import { type BulkRow, type BulkWrite, inserting, updating, upserting, writeInOrder } from '../infra/bulk.ts';
import { wakeEnvironment, workTopic } from '../infra/lease.ts';
import { takeNumbers } from '../infra/outbox.ts';
import { countRedemptions } from '../infra/promo-rows.ts';
import { hintEvents } from '../transaction.ts';
import { eventRows, eventsToStore } from './events.ts';
import { countNumbers, type NumberedRows, numberRows } from './number.ts';

/** Deadlines to put, those of new subscriptions with the seq their subject has just received. */
function deadlineRows(put: readonly DeadlineRow[], rows: NumberedRows): BulkRow<'Deadline'>[] {
  const seqs = new Map(rows.subscriptions.added.map(({ id, seq }) => [id, seq]));
  return put.map((row) => {
    const subjectSeq = row.subjectSeq ?? seqs.get(row.subscriptionId ?? '');
    if (subjectSeq === undefined) throw new Error(`The subject of the deadline ${row.id} is unknown.`);
    return { ...row, subjectSeq };
  });
}

async function changeDeadlines(ctx: Context, remove: readonly string[], ready: readonly string[]): Promise<void> {
  if (remove.length > 0) await ctx.sql(`DELETE FROM "Deadline" WHERE "environmentId" = $1 AND id = ANY($2)`, [remove]);
  if (ready.length === 0) return;
  await ctx.sql(
    `UPDATE "Deadline" SET state = 'ready', attempts = 0, "notBefore" = NULL WHERE "environmentId" = $1 AND state = 'parked' AND id = ANY($2)`,
    [ready],
  );
}

/** Whether the environment lives in real time: live, or a sandbox whose clock was never moved (BIL-50). */
export const isRealTime = (ctx: Context): boolean => ctx.livemode || ctx.environment.simulatedTime === null;

/** The midnights at which funds just captured are released. */
const releaseTimes = (rows: NumberedRows): Date[] =>
  [...rows.transactions.added, ...rows.transactions.changed].flatMap(({ status, availableAt }) =>
    status === 'succeeded' && availableAt !== null ? [nextMidnight(availableAt)] : [],
  );

async function wake(ctx: Context, put: readonly DeadlineRow[], ready: readonly string[], releases: readonly Date[]): Promise<void> {
  const { transaction } = ctx;
  if (transaction === null || !isRealTime(ctx) || (put.length === 0 && ready.length === 0 && releases.length === 0)) return;
  const now = ctx.wall.now();
  const dueTimes = [...put.filter(({ state }) => state === 'ready').map(({ dueAt }) => dueAt), ...releases].map((at) => at.getTime());
  const earliest = Math.min(...dueTimes, ready.length > 0 ? now.getTime() : Number.POSITIVE_INFINITY);
  if (earliest === Number.POSITIVE_INFINITY) return;
  await wakeEnvironment(transaction.query, ctx.environment.id, new Date(earliest));
  if (earliest <= now.getTime()) transaction.afterCommit(() => ctx.app.pubsub.hint(workTopic));
}

/** The bulk writes in an order that satisfies foreign keys and the unique indexes: what makes room comes before what takes it. */
function writes(sets: readonly ChangeSet[], rows: NumberedRows, events: readonly BulkRow<'Event'>[]): (() => BulkWrite)[] {
  const put = sets.flatMap((set) => set.deadlines.put);
  const lines = sets.flatMap((set) => set.lines);
  const steps: [count: number, write: () => BulkWrite][] = [
    [rows.customers.added.length, () => inserting('Customer', rows.customers.added)],
    [rows.customers.changed.length, () => updating('Customer', rows.customers.changed)],
    [rows.paymentMethods.added.length, () => inserting('PaymentMethod', rows.paymentMethods.added)],
    [rows.paymentMethods.changed.length, () => updating('PaymentMethod', rows.paymentMethods.changed)],
    [rows.subscriptions.changed.length, () => updating('Subscription', rows.subscriptions.changed)],
    [rows.subscriptions.added.length, () => inserting('Subscription', rows.subscriptions.added)],
    [rows.invoices.changed.length, () => updating('Invoice', rows.invoices.changed)],
    [rows.invoices.added.length, () => inserting('Invoice', rows.invoices.added)],
    [rows.payments.changed.length, () => updating('Payment', rows.payments.changed)],
    [rows.payments.added.length, () => inserting('Payment', rows.payments.added)],
    [rows.addons.changed.length, () => updating('AddonActivation', rows.addons.changed)],
    [rows.addons.added.length, () => inserting('AddonActivation', rows.addons.added)],
    [rows.grants.changed.length, () => updating('PlanGrant', rows.grants.changed)],
    [rows.grants.added.length, () => inserting('PlanGrant', rows.grants.added)],
    [rows.credits.changed.length, () => updating('CustomerCredit', rows.credits.changed)],
    [rows.credits.added.length, () => inserting('CustomerCredit', rows.credits.added)],
    [lines.length, () => inserting('InvoiceLine', lines)],
    [rows.transactions.changed.length, () => updating('Transaction', rows.transactions.changed)],
    [rows.transactions.added.length, () => inserting('Transaction', rows.transactions.added)],
    [rows.refunds.changed.length, () => updating('Refund', rows.refunds.changed)],
    [rows.refunds.added.length, () => inserting('Refund', rows.refunds.added)],
    [rows.offerApplications.changed.length, () => updating('OfferApplication', rows.offerApplications.changed)],
    [rows.offerApplications.added.length, () => inserting('OfferApplication', rows.offerApplications.added)],
    [rows.redemptions.added.length, () => inserting('PromoRedemption', rows.redemptions.added)],
    [rows.ledger.length, () => inserting('LedgerTransfer', rows.ledger)],
    [rows.accounts.changed.length, () => updating('ConsumptionAccount', rows.accounts.changed)],
    [rows.accounts.added.length, () => inserting('ConsumptionAccount', rows.accounts.added)],
    [rows.counters.changed.length, () => updating('UsageCounter', rows.counters.changed)],
    [rows.counters.added.length, () => inserting('UsageCounter', rows.counters.added)],
    [rows.counts.changed.length, () => updating('FeatureCount', rows.counts.changed)],
    [rows.counts.added.length, () => inserting('FeatureCount', rows.counts.added)],
    [rows.entries.length, () => inserting('ConsumptionEntry', rows.entries)],
    [rows.countEvents.length, () => inserting('CountEvent', rows.countEvents)],
    [rows.usageAdjustments.length, () => inserting('UsageAdjustment', rows.usageAdjustments)],
    [put.length, () => upserting('Deadline', deadlineRows(put, rows))],
    [events.length, () => inserting('Event', events)],
  ];
  return steps.filter(([count]) => count > 0).map(([, write]) => write);
}

/**
 * Writes many change sets in one open transaction, in a number of statements that does not depend on how many there are. Sequence numbers,
 * invoice numbers and event positions are taken in one statement and follow the order of the change sets, which is that of their subjects'
 * seq (protocols A5, B3). The subjects' customers must be locked. Deadlines wake the worker; events are hinted at after the commit.
 */
export async function apply(ctx: Context, sets: readonly ChangeSet[]): Promise<void> {
  const { transaction } = ctx;
  if (transaction === null) throw new Error('Changes are applied inside a transaction.');
  const remove = sets.flatMap((set) => set.deadlines.remove);
  const ready = sets.flatMap((set) => set.deadlines.ready);
  await changeDeadlines(ctx, remove, ready);
  const drafts = await eventsToStore(ctx, sets);
  const counts = countNumbers(sets, drafts);
  const hasNumbers = counts.seq > 0 || counts.invoiceNumbers > 0 || counts.positions > 0;
  const numbers = hasNumbers
    ? await takeNumbers(transaction.query, ctx.environment.id, counts)
    : { seq: 0n, invoiceNumber: 0n, position: 0n };
  const rows = numberRows(sets, numbers);
  const events = await eventRows(ctx, drafts, numbers.position, rows);
  await writeInOrder(ctx.sql, writes(sets, rows, events));
  await countRedemptions(ctx.sql, rows.redemptions.added);
  await wake(
    ctx,
    sets.flatMap((set) => set.deadlines.put),
    ready,
    releaseTimes(rows),
  );
  // A count may change without an event; live fields look then too.
  if (events.length > 0 || rows.countEvents.length > 0) hintEvents(ctx);
}
