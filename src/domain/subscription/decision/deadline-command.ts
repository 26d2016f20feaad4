import type { DeadlineRow } from '../../rows/rows.ts';
import type { DeadlineCommand } from './command.ts';

/**
 * Converts a due deadline to its command. Throws if data of the deadline's type is missing. Throws if a deadline of a subscription
 * has no subscription.
 */
export function commandOf(row: DeadlineRow, now: Date): DeadlineCommand {
  const { subscriptionId } = row;
  const due = { dueAt: row.dueAt, now, deadlineId: row.id };
  if (row.kind === 'daily_scan' || row.kind === 'lot_expiry')
    return { kind: row.kind, ...due, subscriptionId };
  if (row.kind === 'attempt_step') {
    const { transactionId, report } = row.data;
    if (transactionId === undefined || report === undefined)
      throw new Error(`The deadline ${row.id} names no report about an attempt.`);
    return { kind: row.kind, ...due, subscriptionId, transactionId, report };
  }
  if (subscriptionId === null) throw new Error(`The deadline ${row.id} names no subscription.`);
  const base = { ...due, subscriptionId };
  if (row.kind === 'payment_due') {
    const { invoiceId } = row.data;
    if (invoiceId === undefined) throw new Error(`The deadline ${row.id} names no invoice.`);
    return { kind: row.kind, ...base, invoiceId };
  }
  if (row.kind !== 'dunning_retry') return { kind: row.kind, ...base };
  if (row.data.slot === undefined) throw new Error(`The deadline ${row.id} names no dunning slot.`);
  return { kind: row.kind, ...base, slot: row.data.slot };
}
