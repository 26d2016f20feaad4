import type { AttemptSignal } from './attempt-rows.ts';
import type { DeadlineState } from './enums.ts';

/** Details that identify the subject of a deadline. */
export type DeadlineData = {
  /** Number of the dunning retry, starting at 1. */
  readonly slot?: number;
  /** Daily notice to send (BIL-4). */
  readonly notice?:
    | 'trial.will_end'
    | 'invoice.upcoming'
    | 'invoice.overdue'
    | 'payment_method.expiring'
    | 'lot.expiring';
  readonly invoiceId?: string;
  readonly lotId?: string;
  /** Pool of the account to top up. */
  readonly pool?: string;
  /** Payment attempt, and the report about the attempt that becomes due. */
  readonly transactionId?: string;
  readonly report?: AttemptSignal;
};

/** Deadline types, ordered by rank (BIL-2). */
export type DeadlineKind =
  | 'attempt_step'
  | 'quote_expiry'
  | 'checkout_expiry'
  | 'payment_due'
  | 'dunning_retry'
  | 'grant_expiry'
  | 'start'
  | 'trial_end'
  | 'period_end'
  | 'window_reset'
  | 'lot_expiry'
  | 'daily_scan'
  | 'auto_topup';

/** Scheduled task. Scheduling another deadline with the same ID, such as `period_end:sub_…`, replaces it. */
export type DeadlineRow = {
  readonly id: string;
  readonly kind: DeadlineKind;
  readonly rank: number;
  readonly dueAt: Date;
  readonly customerId: string;
  /** ID of the task's subscription. `null` if the task isn't related to a subscription. */
  readonly subscriptionId: string | null;
  /**
   * `seq` of the subscription, or of the customer if there's no subscription. Breaks ties between deadlines. `null`
   * if the subscription or customer isn't stored yet.
   */
  readonly subjectSeq: bigint | null;
  readonly state: DeadlineState;
  readonly attempts: number;
  readonly notBefore: Date | null;
  readonly data: DeadlineData;
};
