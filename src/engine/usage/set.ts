import type { Rejection } from '../../domain/errors/errors.ts';
import type { UsageAdjustmentRow } from '../../domain/rows/usage-rows.ts';
import { UsageBook } from '../../domain/usage/book.ts';
import { type SetUsageRequest, setUsageTotal } from '../../domain/usage/set-total.ts';
import type { Context } from '../../request/context.ts';
import { originOf } from '../../request/event-origin.ts';
import { inTransaction } from '../../request/transaction.ts';
import { withStoredParts } from './cells.ts';
import { lockCurrentUsage } from './current.ts';
import { settleInBackground } from './overdue.ts';
import { lockShared } from './shared-gauges.ts';
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
    const current = await lockCurrentUsage(tx, needs, ctx.transaction === null);
    const { customerId, featureCode } = request;
    const limited = [{ customerId, featureCode, properties: [] }];
    const book = new UsageBook(await withStoredParts(tx.sql, current.details, limited, false, lockShared));
    book.begin(originOf(tx));
    const result = setUsageTotal(book, request);
    await writeUsage(tx, book);
    return {
      result,
      hasChanges: current.isCaughtUp || book.entries.length + book.outbox.length > 0,
      attempts: current.attempts,
    };
  });
  settleInBackground(ctx, attempts);
  return outcome;
}
