import { minuteMs } from '../../period.ts';
import type { CustomerRow, DeadlineData, DeadlineKind, DeadlineRow, SubscriptionRow } from './rows.ts';

/** The order in which deadlines of one instant run (BIL-2). */
export const deadlineRanks: { readonly [kind in DeadlineKind]: number } = {
  quote_expiry: 1,
  dunning_retry: 2,
  grant_expiry: 3,
  start: 4,
  trial_end: 5,
  period_end: 6,
  window_reset: 7,
  daily_scan: 8,
};

/** The order in which deadlines run: by instant, rank, and seq of the subject (BIL-2). */
export function comesBefore(a: DeadlineRow, b: DeadlineRow): boolean {
  const apart = a.dueAt.getTime() - b.dueAt.getTime() || a.rank - b.rank;
  if (apart !== 0) return apart < 0;
  const [left, right] = [a.subjectSeq ?? 0n, b.subjectSeq ?? 0n];
  return left === right ? a.id < b.id : left < right;
}

/**
 * How long a failed deadline waits in real time before its next attempt: 1 minute after the first failure,
 * doubling up to 1 hour.
 */
export const retryDelayMs = (attempts: number): number =>
  Math.min(2 ** Math.max(0, attempts - 1), 60) * minuteMs;

/**
 * The replace-key of a deadline: its kind and subject, and what tells several apart: slot, notice or invoice.
 */
export const deadlineId = (kind: DeadlineKind, subjectId: string, part?: string | number): string =>
  part === undefined ? `${kind}:${subjectId}` : `${kind}:${subjectId}:${part}`;

/** A notice about something of a customer that belongs to no subscription, ready to be sent when due. */
export const customerNotice = (
  customer: CustomerRow,
  dueAt: Date,
  part: string,
  data: DeadlineData,
): DeadlineRow => ({
  id: deadlineId('daily_scan', customer.id, part),
  kind: 'daily_scan',
  rank: deadlineRanks.daily_scan,
  dueAt,
  customerId: customer.id,
  subscriptionId: null,
  subjectSeq: customer.seq,
  state: 'ready',
  attempts: 0,
  notBefore: null,
  data,
});

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
