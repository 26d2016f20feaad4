import type { Rejection } from '../../domain/errors/errors.ts';
import type { UsageAdjustmentRow } from '../../domain/rows/usage-rows.ts';
import { type SetUsageRequest, UsageBook } from '../../domain/usage/book.ts';
import type { Context } from '../../request/context.ts';
import { originOf } from '../../request/event-origin.ts';
import { inTransaction } from '../../request/transaction.ts';
import { catchUpCustomers } from '../catch-up.ts';
import { OutsideCallError } from '../commit.ts';
import { readUsage, usageDetailsOf } from './load.ts';
import { lateCustomers, settleInBackground } from './overdue.ts';
import { writeUsage } from './write.ts';

/** Adjustment, or the rejection of the request. `hasChanges` is true if anything was written. */
export type SetOutcome = {
  readonly result: { readonly adjustment: UsageAdjustmentRow } | { readonly rejection: Rejection };
  readonly hasChanges: boolean;
};

/**
 * Executes due deadlines and then sets the total of a metered feature in the current window (CON-14). Throws
 * `OutsideCallError` if a deadline needs a provider inside the caller's transaction.
 */
export async function setUsage(ctx: Context, request: SetUsageRequest): Promise<SetOutcome> {
  const needs = {
    customers: [request.customerId],
    featureCodes: [request.featureCode],
    eventIds: [],
    models: [],
  };
  const { attempts, ...outcome } = await inTransaction(ctx, async (tx) => {
    const { transaction } = tx;
    if (transaction === null) throw new Error('Usage must be set inside a transaction.');
    const read = () => readUsage(tx.sql, transaction.query, needs, 'record');
    let rows = await read();
    const late = await lateCustomers(tx, rows);
    const due = late.length === 0 ? [] : await catchUpCustomers(tx, late, tx.clock.now());
    if (due.length > 0 && ctx.transaction !== null) throw new OutsideCallError();
    if (late.length > 0) rows = await read();
    const book = new UsageBook(await usageDetailsOf(tx, needs, rows, ctx.transaction === null));
    book.begin(originOf(tx));
    const result = book.set(request);
    await writeUsage(tx, book);
    return {
      result,
      hasChanges: late.length > 0 || book.entries.length + book.outbox.length > 0,
      attempts: due,
    };
  });
  settleInBackground(ctx, attempts);
  return outcome;
}
