import type {
  AttemptSignal,
  CustomerRow,
  DeadlineData,
  DeadlineKind,
  DeadlineRow,
  SubscriptionRow,
} from '../../rows/rows.ts';
import { minuteMs } from '../../time/period.ts';

/** Order in which deadlines with the same due time are processed (BIL-2). */
export const deadlineRanks: { readonly [kind in DeadlineKind]: number } = {
  attempt_step: 0,
  quote_expiry: 1,
  checkout_expiry: 2,
  payment_due: 3,
  dunning_retry: 4,
  grant_expiry: 5,
  start: 6,
  trial_end: 7,
  period_end: 8,
  window_reset: 9,
  lot_expiry: 10,
  daily_scan: 11,
  auto_topup: 12,
};

/**
 * Returns true if deadline `a` runs before `b`. Compares the due times, then the ranks, then the `seq` of the
 * subjects (BIL-2).
 */
export function comesBefore(a: DeadlineRow, b: DeadlineRow): boolean {
  const apart = a.dueAt.getTime() - b.dueAt.getTime() || a.rank - b.rank;
  if (apart !== 0) return apart < 0;
  const [left, right] = [a.subjectSeq ?? 0n, b.subjectSeq ?? 0n];
  return left === right ? a.id < b.id : left < right;
}

/**
 * Returns the delay in real time before a failed deadline is retried. The delay is 1 minute after the first failure,
 * and doubles with each further failure up to 1 hour.
 */
export const retryDelayMs = (attempts: number): number =>
  Math.min(2 ** Math.max(0, attempts - 1), 60) * minuteMs;

/**
 * Returns the ID of a deadline. `part` identifies the retry, notice, or invoice if a subject can have several
 * deadlines of the same type.
 */
export const deadlineId = (kind: DeadlineKind, subjectId: string, part?: string | number): string =>
  part === undefined ? `${kind}:${subjectId}` : `${kind}:${subjectId}:${part}`;

/** Returns a deadline of a customer that isn't related to a subscription. */
export const customerDeadline = (
  customer: CustomerRow,
  kind: 'daily_scan' | 'lot_expiry' | 'attempt_step',
  dueAt: Date,
  part: string,
  data: DeadlineData,
): DeadlineRow => ({
  id: deadlineId(kind, customer.id, part),
  kind,
  rank: deadlineRanks[kind],
  dueAt,
  customerId: customer.id,
  subscriptionId: null,
  subjectSeq: customer.seq,
  state: 'ready',
  attempts: 0,
  notBefore: null,
  data,
});

export function deadline(
  subscription: Pick<SubscriptionRow, 'id' | 'seq' | 'customerId'>,
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

/** Returns a future report about a payment attempt of a subscription or, for a one-time payment, of a customer. `part` identifies the report. */
export function attemptDeadline(
  subject: Pick<SubscriptionRow, 'id' | 'seq' | 'customerId'> | CustomerRow,
  transactionId: string,
  dueAt: Date,
  part: number,
  report: AttemptSignal,
): DeadlineRow {
  const data = { transactionId, report };
  const name = `${transactionId}:${part}`;
  return 'customerId' in subject
    ? deadline(subject, 'attempt_step', dueAt, name, data)
    : customerDeadline(subject, 'attempt_step', dueAt, name, data);
}

/** Returns the evaluation of an automatic top-up. */
export const topUpDeadline = (
  subscription: Pick<SubscriptionRow, 'id' | 'seq' | 'customerId'>,
  pool: string,
  dueAt: Date,
): DeadlineRow => deadline(subscription, 'auto_topup', dueAt, pool, { pool });

/** Returns true if a deadline is executed between clock runs, because usage can trigger it. */
export const runsAtStoppedClock = ({ kind }: Pick<DeadlineRow, 'kind'>): boolean => kind === 'auto_topup';
