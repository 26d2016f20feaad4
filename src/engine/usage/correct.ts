import { QuittanceError, type Rejection, specificRejection } from '../../domain/errors/errors.ts';
import { isAdditive, scaleOf } from '../../domain/meters/meter.ts';
import type { WindowStep } from '../../domain/meters/replay.ts';
import type { UsageCorrectionRow, UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import type { AttemptRow } from '../../domain/subscription/payments/charge-attempt.ts';
import { isBilledBy } from '../../domain/usage/billed-correction.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import { correct, needsSteps } from '../../domain/usage/correction.ts';
import type { Corrected, CorrectedEvent, CorrectionRequest } from '../../domain/usage/correction-request.ts';
import { counterId } from '../../domain/usage/counter.ts';
import { countedReplacement, countingFeatures, hasSource, recordParts } from '../../domain/usage/sourced.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { Context, TransactionContext } from '../../request/context.ts';
import { originOf } from '../../request/event-origin.ts';
import { inTransaction } from '../../request/transaction.ts';
import { withStoredParts } from './cells.ts';
import { readOpenChange, writeBilledCorrection } from './correct-billed.ts';
import { correctEndedUsage, hasEnded, readEnded } from './correct-ended.ts';
import { lockCurrentUsage } from './current.ts';
import { readLevelEvents } from './level-history.ts';
import { usageEventOf } from './load.ts';
import { lockCustomer } from './lock-customer.ts';
import { settleInBackground } from './overdue.ts';
import { writeUsage } from './write.ts';

type StoredEvent = Row<'UsageEvent'> & { readonly featureCode: string; readonly budgetKey: string | null };

/** Reads a usage event by ID. `null` if the event doesn't exist or was deleted. */
async function readEvent(sql: Query, id: string): Promise<StoredEvent | null> {
  const [event] = await sql<StoredEvent>(
    `SELECT e.*, f.code AS "featureCode",
       (SELECT b.key FROM "Budget" b WHERE b."environmentId" = $1 AND b.id = e."budgetId") AS "budgetKey" FROM "UsageEvent" e JOIN "Feature" f ON f."environmentId" = $1 AND f.id = e."featureId"
     WHERE e."environmentId" = $1 AND e.id = $2`,
    [id],
  );
  return event ?? null;
}

/** Reads the events of other features that count an event, and that weren't corrected. */
const readCounting = (sql: Query, { id }: StoredEvent): Promise<StoredEvent[]> =>
  sql<StoredEvent>(
    `SELECT e.*, f.code AS "featureCode",
       (SELECT b.key FROM "Budget" b WHERE b."environmentId" = $1 AND b.id = e."budgetId") AS "budgetKey" FROM "UsageEvent" e JOIN "Feature" f ON f."environmentId" = $1 AND f.id = e."featureId"
     WHERE e."environmentId" = $1 AND e."sourceEventId" = $2
       AND NOT EXISTS (SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id) ORDER BY e.seq`,
    [id],
  );

/** Reads the events that weren't corrected and the adjustments of the event's window, in the order in which they were recorded. */
async function readSteps(sql: Query, event: StoredEvent, scale: bigint): Promise<WindowStep[]> {
  const { customerId, subscriptionId, featureId, windowStart } = event;
  const window = [customerId, subscriptionId, featureId, windowStart];
  const [events, adjustments] = await Promise.all([
    sql<Exclude<WindowStep, { readonly total: bigint }>>(
      `SELECT e.value, e.quantity, e.properties, e.ts, e.seq, e."levelChange", e."levelSeq" FROM "UsageEvent" e
       WHERE e."environmentId" = $1 AND e."customerId" = $2 AND e."createdAt" >= $5 AND e."subscriptionId" = $3
         AND e."featureId" = $4 AND e."windowStart" = $5
         AND NOT EXISTS (SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id)`,
      window,
    ),
    sql<{ readonly value: bigint; readonly seq: bigint }>(
      `SELECT value, seq FROM "UsageAdjustment" WHERE "environmentId" = $1 AND "customerId" = $2 AND "subscriptionId" = $3
         AND "featureId" = $4 AND "windowStart" = $5`,
      window,
    ),
  ]);
  const totals = adjustments.map(({ value, seq }) => ({ total: value * scale, seq }));
  return [...events, ...totals].toSorted((a, b) => (a.seq < b.seq ? -1 : 1));
}

/**
 * Reads the data about an event's window. The event's account must be locked. `counter` contains the total of the open or
 * ended window. `null` if no events need to be read.
 */
async function readCorrected(
  sql: Query,
  event: StoredEvent,
  counter: Pick<UsageCounterRow, 'meter'> | null,
): Promise<CorrectedEvent> {
  const { subscriptionId, featureId, windowStart, featureCode } = event;
  const [[correction], [sums]] = await Promise.all([
    sql<UsageCorrectionRow>(
      'SELECT * FROM "UsageCorrection" WHERE "environmentId" = $1 AND "usageEventId" = $2',
      [event.id],
    ),
    sql<{ readonly waived: bigint; readonly lastSetSeq: bigint | null; readonly isReplacement: boolean }>(
      `SELECT (SELECT coalesce(sum(waived), 0)::bigint FROM "UsageCorrection" WHERE "environmentId" = $1 AND "subscriptionId" = $2
           AND "featureId" = $3 AND "windowStart" = $4) AS waived,
         (SELECT max(seq) FROM "UsageAdjustment" WHERE "environmentId" = $1 AND "customerId" = $5 AND "subscriptionId" = $2
           AND "featureId" = $3 AND "windowStart" = $4) AS "lastSetSeq",
         EXISTS (SELECT FROM "UsageCorrection" WHERE "environmentId" = $1 AND "customerId" = $5 AND "replacementId" = $6) AS "isReplacement"`,
      [subscriptionId, featureId, windowStart, event.customerId, event.id],
    ),
  ]);
  const isLevel = event.levelKind !== null;
  const isRead = counter !== null && correction === undefined && !isLevel;
  return {
    event: { ...usageEventOf(event), seq: event.seq },
    featureCode,
    isReplacement: sums?.isReplacement === true,
    correction: correction ?? null,
    waived: sums?.waived ?? 0n,
    lastSetSeq: sums?.lastSetSeq ?? null,
    steps: isRead ? await readSteps(sql, event, scaleOf(counter.meter)) : [],
    levels: isLevel && correction === undefined ? await readLevelEvents(sql, event) : null,
  };
}

/** Thrown if an event was invoiced before its customer was locked: its usage window ended, or an unpaid plan change billed it. */
class InvoicedError extends Error {}

/** Corrects an event after its customer's usage was locked. `isLocked` is true if the customer is locked exclusively. */
async function correctIn(
  tx: TransactionContext,
  book: UsageBook,
  event: StoredEvent,
  request: CorrectionRequest,
  isLocked: boolean,
): Promise<Corrected> {
  const details = book.details;
  const customer = details.customers.get(event.customerId);
  if (customer !== undefined && (await hasEnded(tx.sql, event))) {
    if (!isLocked) throw new InvoicedError('The usage window has ended.');
    const usage = await readEnded(tx.sql, event);
    const ended = usage !== null && (usage.covered > 0n || !isAdditive(usage.meter)) ? usage : null;
    return correctEndedUsage(tx, book, customer, await readCorrected(tx.sql, event, ended), request);
  }
  const open = await readOpenChange(tx.sql, event.subscriptionId);
  const change = open !== null && isBilledBy(open, event.seq) ? open : null;
  if (change !== null && !isLocked) throw new InvoicedError('A plan change billed the event.');
  const counter = details.counters.get(counterId(event.subscriptionId, event.featureId));
  const read = await readCorrected(
    tx.sql,
    event,
    counter !== undefined && needsSteps(counter) ? counter : null,
  );
  const corrected = correct(book, read, request);
  if (!('correction' in corrected) || corrected.isRepetition) return corrected;
  await writeUsage(tx, book);
  if (change !== null)
    await writeBilledCorrection(tx.sql, change, book, { ...read, ...corrected }, () =>
      readSteps(tx.sql, event, scaleOf(counter?.meter ?? null)),
    );
  return corrected;
}

type CorrectionById = CorrectionRequest & { readonly id: string };

/** Thrown if a correction is rejected after another correction of the same request was written, so that nothing is written. */
class RejectedError extends Error {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.message);
    this.rejection = rejection;
  }
}

/** Corrected event, with the attempts of due deadlines. */
type CorrectedOnce = { readonly result: Corrected; readonly attempts: readonly AttemptRow[] };

/** Locks the usage of an event's customer and corrects the event. */
async function correctEvent(
  tx: TransactionContext,
  event: StoredEvent,
  request: CorrectionRequest,
  { isLocked, isOwn }: { readonly isLocked: boolean; readonly isOwn: boolean },
): Promise<CorrectedOnce> {
  const { customerId, featureCode } = event;
  const model = request.replacement?.model ?? null;
  const needs = {
    customers: [customerId],
    featureCodes: [featureCode],
    eventIds: [],
    models: model === null ? [] : [model],
  };
  const current = await lockCurrentUsage(tx, needs, isOwn);
  const requests = [event.properties, request.replacement?.properties ?? event.properties].map(
    (properties) => ({ customerId, featureCode, properties, budget: event.budgetKey }),
  );
  const details = await withStoredParts(tx.sql, current.details, requests);
  const book = new UsageBook(details);
  book.begin(originOf(tx));
  const result = await correctIn(tx, book, event, request, isLocked || current.isCaughtUp);
  return { result, attempts: current.attempts };
}

/** Corrects the events that count a corrected event, and counts its replacement for features that didn't count the event. */
async function correctCounting(
  tx: TransactionContext,
  event: StoredEvent,
  { replacementId }: UsageCorrectionRow,
  request: CorrectionRequest,
  terms: Parameters<typeof correctEvent>[3],
): Promise<void> {
  const counting = await readCounting(tx.sql, event);
  const replacement = replacementId === null ? null : await readEvent(tx.sql, replacementId);
  const ownRequest: CorrectionRequest = {
    ...request,
    replacement: countedReplacement(request.replacement, replacement),
    ...(replacement === null ? {} : { sourceEventId: replacement.id }),
  };
  for (const one of counting) {
    const { result } = await correctEvent(tx, one, ownRequest, terms);
    if ('rejection' in result) throw new RejectedError(result.rejection);
  }
  if (replacement === null) return;
  const known = new Set(counting.map(({ featureId }) => featureId));
  await countReplacement(tx, replacement, known, terms.isOwn);
}

/** Records the events of features that count a replacement, but didn't count the replaced event. Limits don't reject them. */
async function countReplacement(
  tx: TransactionContext,
  replacement: StoredEvent,
  known: ReadonlySet<string>,
  isOwn: boolean,
): Promise<void> {
  const { customerId, featureCode, properties, budgetKey } = replacement;
  const needs = { customers: [customerId], featureCodes: [featureCode], eventIds: [], models: [] };
  const current = await lockCurrentUsage(tx, needs, isOwn);
  const { catalog, features } = current.details;
  const counting = countingFeatures(catalog, features.get(featureCode)?.id ?? '');
  if (counting.every(({ id }) => known.has(id)) || (await hasEnded(tx.sql, replacement))) return;
  const requests = [{ customerId, featureCode, properties, budget: budgetKey }];
  const book = new UsageBook(await withStoredParts(tx.sql, current.details, requests));
  book.begin(originOf(tx));
  const problem = recordParts(book, usageEventOf(replacement), featureCode, known);
  if (problem !== null) throw new RejectedError(problem);
  await writeUsage(tx, book);
}

/** Corrects an event in a transaction. Locks the customer exclusively if `isExclusive` is true, or if the usage window has ended. */
const correctOnce = (ctx: Context, { id, ...request }: CorrectionById, isExclusive: boolean) =>
  inTransaction(ctx, async (tx): Promise<CorrectedOnce> => {
    const event = await readEvent(tx.sql, id);
    if (event === null)
      return {
        result: { rejection: specificRejection('not_found', 'usage_event', { param: 'id' }) },
        attempts: [],
      };
    if (event.sourceEventId !== null)
      return {
        result: {
          rejection: hasSource(
            'id',
            `counts the event \`${event.sourceEventId}\`. Correct the other event instead`,
          ),
        },
        attempts: [],
      };
    // The customer is locked first, because its invoices include the corrections of ended usage windows.
    const isLocked = isExclusive || (await hasEnded(tx.sql, event));
    if (isLocked) await lockCustomer(tx.sql, event.customerId);
    const terms = { isLocked, isOwn: ctx.transaction === null };
    const corrected = await correctEvent(tx, event, request, terms);
    const { result } = corrected;
    if ('correction' in result && !result.isRepetition)
      await correctCounting(tx, event, result.correction, request, terms);
    return corrected;
  });

/**
 * Executes due deadlines and then corrects a usage event, and the events of other features that count it (PRM-126). Locks the event's customer and
 * account in the same order as usage. If the event is invoiced in the meantime, starts again with an exclusive lock, because a shared lock can't be
 * made exclusive while usage is recorded. Writes nothing if the correction is rejected or repeated. Throws `OutsideCallError` if a deadline
 * needs a provider inside the caller's transaction.
 */
export async function correctUsage(ctx: Context, request: CorrectionById): Promise<Corrected> {
  const { result, attempts } = await correctOnce(ctx, request, ctx.transaction !== null)
    .catch((error: unknown) => {
      if (error instanceof InvoicedError) return correctOnce(ctx, request, true);
      throw error;
    })
    .catch((error: unknown): CorrectedOnce => {
      if (error instanceof RejectedError && ctx.transaction === null)
        return { result: { rejection: error.rejection }, attempts: [] };
      throw error instanceof RejectedError ? new QuittanceError(error.rejection) : error;
    });
  settleInBackground(ctx, attempts);
  return result;
}
