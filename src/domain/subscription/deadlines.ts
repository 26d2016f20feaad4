import type { DeadlineCommand } from './commands.ts';
import type { DeadlineData, DeadlineKind, DeadlineRow, SubscriptionRow } from './rows.ts';

/** The order in which deadlines of one instant run (BIL-2). */
export const deadlineRanks: { readonly [kind in DeadlineKind]: number } = {
  dunning_retry: 2,
  start: 4,
  trial_end: 5,
  period_end: 6,
  window_reset: 7,
  daily_scan: 8,
};

/** The replace-key of a deadline: its kind and subscription, and what tells several apart: slot, notice or invoice (protocols B5). */
export const deadlineId = (kind: DeadlineKind, subscriptionId: string, part?: string | number): string =>
  part === undefined ? `${kind}:${subscriptionId}` : `${kind}:${subscriptionId}:${part}`;

/** A deadline of a subscription, ready to run when due. */
export function deadline(
  subscription: SubscriptionRow,
  kind: DeadlineKind,
  dueAt: Date,
  part?: string | number,
  data: DeadlineData = {},
): DeadlineRow {
  return {
    id: deadlineId(kind, subscription.id, part),
    kind,
    rank: deadlineRanks[kind],
    dueAt,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    subjectSeq: subscription.seq,
    state: 'ready',
    attempts: 0,
    notBefore: null,
    data,
  };
}

/** The command a due deadline becomes. Throws for a dunning deadline without its slot. */
export function commandOf(row: DeadlineRow, now: Date): DeadlineCommand {
  const base = { dueAt: row.dueAt, now, subscriptionId: row.subscriptionId, deadlineId: row.id };
  if (row.kind !== 'dunning_retry') return { kind: row.kind, ...base };
  if (row.data.slot === undefined) throw new Error(`The deadline ${row.id} names no dunning slot.`);
  return { kind: row.kind, ...base, slot: row.data.slot };
}
