import { hasDimensions, type MeterDocument } from '../../domain/meters/meter.ts';
import type { FeatureRow } from '../../domain/pricing/catalog.ts';
import { accessStatuses } from '../../domain/subscription/state/transitions.ts';
import { type Subject, UsageBook, windowOf } from '../../domain/usage/book.ts';
import { beginRecount, finishRecount, recountedMeter } from '../../domain/usage/recount.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Context, TransactionContext } from '../../request/context.ts';
import { originOf } from '../../request/event-origin.ts';
import { inTransaction } from '../../request/transaction.ts';
import { lockCurrentUsage } from './current.ts';
import { loadUsageDetails, readUsage, type UsageNeeds, type UsageRows, usageDetailsOf } from './load.ts';
import { lateCustomers, settleInBackground } from './overdue.ts';
import { type Counting, columnsOf, countRound, eventsPerPage, type OpenWindow } from './recount-events.ts';
import { writeUsage } from './write.ts';

// Counts open usage windows again from the stored events after dimensions were added to a meter (PRM-123). Most events are counted without
// locks. A short transaction then counts the latest events and changes the meter of the windows.

/** Number of windows that change in one transaction. */
const windowsPerBatch = 20;

/** Maximum number of times that new events are counted before the windows are locked. */
const maxRounds = 5;

/** Number of events of a window up to which the request that changes the meter counts them. */
const fewEvents = 1_000;

/** Reads open windows of a feature whose counters have an ID after `after`, and another meter. */
const readWindows = (
  sql: Query,
  { id }: Pick<FeatureRow, 'id'>,
  meter: object,
  after: string,
): Promise<OpenWindow[]> =>
  sql<OpenWindow>(
    `SELECT t.id, t."customerId", t."subscriptionId", t."windowStart" FROM "UsageCounter" t
     JOIN "Subscription" s ON s."environmentId" = $1 AND s.id = t."subscriptionId"
     WHERE t."environmentId" = $1 AND t."featureId" = $2 AND t.id > $3 AND s."windowStart" = t."windowStart"
       AND s.status::text = ANY($4::text[]) AND t.meter IS DISTINCT FROM $5::jsonb ORDER BY t.id LIMIT ${windowsPerBatch}`,
    [id, after, accessStatuses, JSON.stringify(meter)],
  );

/** Returns the customer, feature, and terms of a window. `null` if the window has ended. */
function subjectIn(book: UsageBook, feature: FeatureRow, window: OpenWindow): Subject | null {
  const subject = book.subjectOf(window.customerId, feature.code);
  if ('code' in subject || subject.subscription.id !== window.subscriptionId) return null;
  return windowOf(subject.subscription).getTime() === window.windowStart.getTime() ? subject : null;
}

/** Deletes the totals by the previous dimensions of windows. */
const deleteCells = (sql: Query, featureId: string, windows: readonly OpenWindow[]): Promise<unknown> =>
  sql(
    `DELETE FROM "UsageCell" t USING unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS k(id, customer, subscription, start)
     WHERE t."environmentId" = $1 AND t."subscriptionId" = k.subscription AND t."featureId" = $6 AND t."windowStart" = k.start`,
    [...columnsOf(windows), featureId],
  );

/** Starts to count the windows that don't have the dimensions yet. */
const begin = (
  book: UsageBook,
  feature: FeatureRow,
  meter: MeterDocument | null,
  windows: readonly OpenWindow[],
): Counting[] =>
  windows.flatMap((window): Counting[] => {
    const subject = subjectIn(book, feature, window);
    const empty = () => (subject === null ? null : beginRecount(book, subject, meter));
    const recount = empty();
    const before = subject?.terms.meter?.document;
    const isDivided = before !== undefined && hasDimensions(before);
    return recount === null
      ? []
      : [{ window, recount, empty, countedTo: 0n, since: window.windowStart, isDivided }];
  });

const dimensionsOf = (meter: MeterDocument | null): string[] =>
  (meter?.dimensions ?? []).map(({ property }) => property);

/** Counts the latest events of locked windows, and changes the meter of the windows. Returns the number of changed windows. */
async function switchWindows(
  tx: TransactionContext,
  feature: FeatureRow,
  book: UsageBook,
  counted: readonly Counting[],
): Promise<number> {
  book.begin(originOf(tx));
  const meter = recountedMeter(feature);
  const open = new Set(
    begin(
      book,
      feature,
      meter,
      counted.map(({ window }) => window),
    ).map(({ window }) => window),
  );
  const { counting } = await countRound(
    tx.sql,
    { featureId: feature.id, names: dimensionsOf(meter) },
    counted.filter(({ window }) => open.has(window)),
    tx.clock.now(),
  );
  for (const { window, recount } of counting) {
    const subject = subjectIn(book, feature, window);
    if (subject !== null) finishRecount(book, subject, recount);
  }
  const divided = counting.flatMap(({ window, isDivided }) => (isDivided ? [window] : []));
  if (divided.length > 0) await deleteCells(tx.sql, feature.id, divided);
  await writeUsage(tx, book);
  return counting.length;
}

const needsFor = (windows: readonly OpenWindow[], { code }: FeatureRow): UsageNeeds => ({
  customers: [...new Set(windows.map(({ customerId }) => customerId))],
  featureCodes: [code],
  eventIds: [],
  models: [],
});

/** Result of a batch. `last` is the ID of the last counter, or `null` if there are no more windows. */
type RecountBatch = { readonly switched: number; readonly last: string | null };

/**
 * Counts a batch of open windows of a feature again, and changes them to the latest meter with one transaction. Windows whose meter differs
 * in other ways keep it until the billing period ends. `after` is the ID of the last counter of the previous batch.
 */
export async function recountWindows(
  ctx: Context,
  feature: FeatureRow,
  after: string,
): Promise<RecountBatch> {
  const meter = recountedMeter(feature);
  if (meter === null || feature.deletedAt !== null) return { switched: 0, last: null };
  const windows = await readWindows(ctx.sql, feature, meter, after);
  const last = windows.length < windowsPerBatch ? null : (windows.at(-1)?.id ?? null);
  if (windows.length === 0) return { switched: 0, last };
  const needs = needsFor(windows, feature);
  let counting: readonly Counting[] = begin(
    new UsageBook(await loadUsageDetails(ctx, needs)),
    feature,
    meter,
    windows,
  );
  const range = { featureId: feature.id, names: dimensionsOf(meter) };
  for (let round = 0; round < maxRounds && counting.length > 0; round++) {
    const counted = await countRound(ctx.sql, range, counting, ctx.clock.now());
    counting = counted.counting;
    if (counted.events < eventsPerPage) break;
  }
  if (counting.length === 0) return { switched: 0, last };
  const { switched, attempts } = await inTransaction(ctx, async (tx) => {
    const { details, attempts: due } = await lockCurrentUsage(tx, needs, ctx.transaction === null);
    return { switched: await switchWindows(tx, feature, new UsageBook(details), counting), attempts: due };
  });
  settleInBackground(ctx, attempts);
  return { switched, last };
}

/** Windows with few events, and their locked rows. */
export type LockedWindows = {
  readonly windows: readonly OpenWindow[];
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
};

/** Returns the windows that have at most `fewEvents` events. */
async function withFewEvents(
  sql: Query,
  featureId: string,
  windows: readonly OpenWindow[],
): Promise<OpenWindow[]> {
  const counts = await sql<{ readonly id: string; readonly events: bigint }>(
    `SELECT k.id, e.events FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS k(id, customer, subscription, start)
     CROSS JOIN LATERAL (SELECT count(*) AS events FROM (
       SELECT FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."customerId" = k.customer AND e."createdAt" >= k.start
         AND e."subscriptionId" = k.subscription AND e."featureId" = $6 AND e."windowStart" = k.start LIMIT ${fewEvents + 1}) e) e`,
    [...columnsOf(windows), featureId],
  );
  const few = new Set(counts.flatMap(({ id, events }) => (events <= fewEvents ? [id] : [])));
  return windows.filter(({ id }) => few.has(id));
}

/**
 * Locks a batch of open windows with few events, so that the caller's transaction can count them again. Must be called before the feature is
 * locked, because recording usage locks the customers first. `null` if no window qualifies.
 */
export async function lockWindows(
  tx: TransactionContext,
  feature: FeatureRow,
  meter: MeterDocument,
): Promise<LockedWindows | null> {
  const found = await readWindows(tx.sql, feature, meter, '');
  const windows = found.length === 0 ? [] : await withFewEvents(tx.sql, feature.id, found);
  if (windows.length === 0) return null;
  const needs = needsFor(windows, feature);
  const rows = await readUsage(tx.sql, tx.transaction.query, needs, 'record');
  const lateIds = new Set(await lateCustomers(tx, rows));
  return { windows: windows.filter(({ customerId }) => !lateIds.has(customerId)), needs, rows };
}

/** Counts locked windows again after the caller changed the meter, and changes them to the meter. */
export async function recountLocked(
  tx: TransactionContext,
  feature: FeatureRow,
  { windows, needs, rows }: LockedWindows,
): Promise<void> {
  const book = new UsageBook(await usageDetailsOf(tx, needs, rows, false));
  await switchWindows(tx, feature, book, begin(book, feature, recountedMeter(feature), windows));
}
