import { type Context, hintEvents, inTransaction } from '../../context.ts';
import { type Recorded, type SetUsageRequest, type UsageAdjustmentRow, UsageBook } from '../../domain/consumption/book.ts';
import type { UsageRequest } from '../../domain/consumption/record.ts';
import type { Refusal } from '../../domain/errors.ts';
import { type BulkWrite, inserting, updating, upserting, writeInOrder } from '../../infra/bulk.ts';
import { storeEvents, takeNumbers } from '../../infra/outbox.ts';
import { isUniqueViolation } from '../../infra/unique.ts';
import { loadUsageFacts, type UsageNeeds } from './load.ts';
import { writeTokenCost } from './token-cost.ts';

/** How a page of requests ended, and whether anything was written for one that was refused. */
export type UsageOutcome<T> = { readonly results: readonly T[]; readonly hasChanges: boolean };

const unique = (values: readonly (string | null)[]): string[] => [...new Set(values.filter((value) => value !== null))];

/** Writes what the book holds: events, entries, counters, accounts and outbox, each kind by one statement. */
async function write(tx: Context, book: UsageBook): Promise<boolean> {
  const { transaction } = tx;
  if (transaction === null) throw new Error('Usage is written inside a transaction.');
  const counters = [...book.counters.values()];
  const isNew = ({ seq }: { readonly seq: bigint | null }): boolean => seq === null;
  const seqCount = book.events.length + book.entries.length + book.adjustments.length + counters.filter(isNew).length;
  if (seqCount + book.accounts.size + counters.length + book.outbox.length === 0) return false;
  const numbers = await takeNumbers(transaction.query, tx.environment.id, { seq: seqCount, positions: book.outbox.length });
  let next = numbers.seq;
  const numbered = <T extends { readonly seq: bigint | null }>(row: T): T & { readonly seq: bigint } => ({
    ...row,
    seq: row.seq ?? next++,
  });
  const events = book.events.map(numbered).map((row) => ({ ...row, tokenCost: writeTokenCost(row.tokenCost) }));
  const entries = book.entries.map(numbered);
  const adjustments = book.adjustments.map(numbered);
  const totals = counters.map(numbered);
  const accounts = [...book.accounts.values()].map(numbered);
  const steps: [count: number, prepare: () => BulkWrite][] = [
    [events.length, () => inserting('UsageEvent', events)],
    [adjustments.length, () => inserting('UsageAdjustment', adjustments)],
    [entries.length, () => inserting('ConsumptionEntry', entries)],
    [totals.length, () => upserting('UsageCounter', totals)],
    [accounts.length, () => updating('ConsumptionAccount', accounts)],
  ];
  await writeInOrder(
    tx.sql,
    steps.filter(([count]) => count > 0).map(([, prepare]) => prepare),
  );
  await storeEvents(transaction.query, tx.environment.id, numbers.position, book.outbox);
  hintEvents(tx);
  return true;
}

/** Rivals with the same event id may both find it free; the one that loses looks again. */
const maxTries = 3;

async function onBook<T>(ctx: Context, needs: UsageNeeds, work: (book: UsageBook) => T[]): Promise<UsageOutcome<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(ctx, async (tx) => {
        const book = new UsageBook(await loadUsageFacts(tx, needs, 'record'));
        const results = work(book);
        return { results, hasChanges: await write(tx, book) };
      });
    } catch (error) {
      if (attempt === maxTries || !isUniqueViolation(error)) throw error;
    }
  }
}

/**
 * Records usage events in the order given, each whole or not at all, in one transaction and a handful of statements whatever their number
 * (CON-6 to CON-13). Refusals are answered, not thrown; each request finds what those before it left.
 */
export const recordUsage = (ctx: Context, requests: readonly UsageRequest[]): Promise<UsageOutcome<Recorded>> =>
  onBook(
    ctx,
    {
      customers: unique(requests.map(({ customerId }) => customerId)),
      featureCodes: unique(requests.map(({ featureCode }) => featureCode)),
      eventIds: unique(requests.map(({ eventId }) => eventId)),
      models: unique(requests.map(({ model }) => model)),
    },
    (book) => requests.map((request) => book.record(request)),
  );

/** Sets the total of a metered feature in the open window (CON-14). */
export const setUsage = (
  ctx: Context,
  request: SetUsageRequest,
): Promise<UsageOutcome<{ readonly adjustment: UsageAdjustmentRow } | { readonly refusal: Refusal }>> =>
  onBook(ctx, { customers: [request.customerId], featureCodes: [request.featureCode], eventIds: [], models: [] }, (book) => [
    book.set(request),
  ]);
