import type { Context } from '../../context.ts';
import { type SetUsageRequest, UsageBook } from '../../domain/consumption/book.ts';
import type { UsageRequest } from '../../domain/consumption/record.ts';
import type { UsageAdjustmentRow } from '../../domain/consumption/rows.ts';
import type { Refusal } from '../../domain/errors.ts';
import { inTransaction } from '../../transaction.ts';
import { catchUpCustomers } from '../catch-up.ts';
import { OutsideCallError } from '../commit.ts';
import { joinFlush } from './flush.ts';
import { lateCustomers, settleBeside } from './late.ts';
import { readUsage, usageFactsOf } from './load.ts';
import { FlushError } from './member.ts';
import { Seat, type UsageOutcome } from './seat.ts';
import { writeUsage } from './write.ts';

/** Records as an operation without an idempotency key: a flush has nothing to store for it. */
async function recordAmongOthers(ctx: Context, requests: readonly UsageRequest[]): Promise<UsageOutcome> {
  const work = async (seat: Seat) => ({ value: await seat.record(requests), stored: null, isUndone: false });
  try {
    const flushed = await joinFlush(ctx, { key: null, work });
    if ('found' in flushed) throw new Error('An operation without a key finds none.');
    return flushed.value;
  } catch (error) {
    throw error instanceof FlushError ? error.cause : error;
  }
}

/**
 * Records usage events in the order given, each whole or not at all, together with what else is recorded in the environment at the time, in
 * one transaction and a handful of statements whatever their number (CON-6 to CON-13). Refusals are answered, not thrown; each request finds
 * what those before it left. Throws DatabaseBusyError when too much waits already.
 */
export const recordUsage = (ctx: Context, requests: readonly UsageRequest[]): Promise<UsageOutcome> => {
  if (ctx instanceof Seat) return ctx.record(requests);
  if (ctx.transaction !== null) throw new Error('Usage is recorded in transactions of its own.');
  return recordAmongOthers(ctx, requests);
};

/** How a total was set: the record of it or the refusal, and whether anything was written. */
export type SetOutcome = {
  readonly result: { readonly adjustment: UsageAdjustmentRow } | { readonly refusal: Refusal };
  readonly hasChanges: boolean;
};

/** Sets the total of a metered feature in the open window (CON-14), after what is due. Throws OutsideCallError where that needs a gateway inside a caller's transaction. */
export async function setUsage(ctx: Context, request: SetUsageRequest): Promise<SetOutcome> {
  const needs = { customers: [request.customerId], featureCodes: [request.featureCode], eventIds: [], models: [] };
  const { attempts, ...outcome } = await inTransaction(ctx, async (tx) => {
    const { transaction } = tx;
    if (transaction === null) throw new Error('Usage is set inside a transaction.');
    const read = () => readUsage(tx.sql, transaction.query, needs, 'record');
    let rows = await read();
    const late = await lateCustomers(tx, rows);
    const due = late.length === 0 ? [] : await catchUpCustomers(tx, late, tx.clock.now());
    if (due.length > 0 && ctx.transaction !== null) throw new OutsideCallError();
    if (late.length > 0) rows = await read();
    const book = new UsageBook(await usageFactsOf(tx, needs, rows, ctx.transaction === null));
    const result = book.set(request);
    await writeUsage(tx, book);
    return { result, hasChanges: late.length > 0 || book.entries.length + book.outbox.length > 0, attempts: due };
  });
  settleBeside(ctx, attempts);
  return outcome;
}
