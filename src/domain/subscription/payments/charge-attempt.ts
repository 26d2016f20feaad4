// State of a request to a remote payment provider. The first final result applies. Later results are only
// counted, and checked for contradictions.

import { nextInquiryAt } from '../../payments/inquiry.ts';
import type { ChargeRequest, ChargeResult } from '../../payments/provider.ts';
import { dayMs, hourMs, minuteMs } from '../../time/period.ts';
import type { Outcome } from '../state/changes.ts';

/** Stored attempt. All times are in real time, because test clocks don't affect providers. */
export type AttemptRow = {
  /** ID of the transaction or refund. If the attempt only sets up a payment method, no row has this ID. */
  readonly id: string;
  readonly customerId: string;
  readonly request: ChargeRequest;
  /** True if the worker made the attempt as part of a batch. */
  readonly isBatch: boolean;
  /** Number of requests that were sent to the provider for the attempt, including requests without a response. */
  readonly asks: number;
  /** Time of the next inquiry. `null` if the attempt has a final result. */
  readonly inquireAt: Date | null;
  /** First final result. `null` if the provider hasn't returned one. */
  readonly result: ChargeResult | null;
  /** Outcome of the decision that processed `result`. */
  readonly outcome: Outcome | null;
  readonly answeredAt: Date | null;
  /** Number of results received after the first final result. */
  readonly repeats: number;
  /**
   * Later result that contradicts `result` and must be checked manually. `null` if no result contradicts
   * it.
   */
  readonly contradiction: ChargeResult | null;
  /** Time after which the attempt is reconciled with the provider's records. `null` if no reconciliation is needed. */
  readonly compareAt: Date | null;
  readonly createdAt: Date;
};

/**
 * Time after which an attempt without a result is reconciled with the provider's records. All early
 * inquiries have failed by then.
 */
const reconcileAfterMs = 60 * minuteMs;

/** Returns a new attempt, before its request is sent. */
export const newAttempt = (request: ChargeRequest, isBatch: boolean, now: Date): AttemptRow => ({
  id: request.transactionId,
  customerId: request.customerId,
  request,
  isBatch,
  asks: 0,
  inquireAt: nextInquiryAt(now, now),
  result: null,
  outcome: null,
  answeredAt: null,
  repeats: 0,
  contradiction: null,
  compareAt: null,
  createdAt: now,
});

const postponed = (row: AttemptRow, now: Date): AttemptRow => ({
  ...row,
  asks: row.asks + 1,
  inquireAt: nextInquiryAt(row.createdAt, now),
});

/** Returns the attempt after an inquiry that returned no result. */
export function withoutAnswer(row: AttemptRow, now: Date): AttemptRow {
  if (row.answeredAt !== null) return row;
  const isDoubtful = now.getTime() - row.createdAt.getTime() >= reconcileAfterMs;
  return { ...postponed(row, now), compareAt: row.compareAt ?? (isDoubtful ? now : null) };
}

/** Returns true if the decision ignored the result, because the payment already had another outcome. */
const isIdle = (outcome: Outcome): boolean =>
  (outcome.kind === 'ok' && outcome.status === 'unchanged') ||
  (outcome.kind === 'rejection' && outcome.code === 'transaction_not_found');

/**
 * Returns true if the payer must authenticate. If the payer isn't present, a required authentication is
 * treated as a declined charge (BIL-45).
 */
export const waitsForPayer = (outcome: Outcome): boolean =>
  outcome.kind === 'ok' && outcome.status === 'requires_action';

/**
 * Returns the attempt after a result. The attempt remains open while the payer must authenticate. A settled charge of
 * an ended attempt is a contradiction, and so is a later result that differs from the first final result.
 */
export function withAnswer(row: AttemptRow, result: ChargeResult, outcome: Outcome, now: Date): AttemptRow {
  if (result.status === 'unknown') return withoutAnswer(row, now);
  if (row.result !== null) {
    const isContrary = (row.result.status === 'settled') !== (result.status === 'settled');
    const doubt = isContrary
      ? { contradiction: result, compareAt: row.contradiction === null ? now : row.compareAt }
      : {};
    return { ...row, repeats: row.repeats + 1, ...doubt };
  }
  if (waitsForPayer(outcome)) return postponed(row, now);
  // A settled verification doesn't move money, so it isn't a contradiction.
  const isContrary = result.status === 'settled' && isIdle(outcome) && row.request.kind !== 'setup';
  const doubt = { contradiction: isContrary ? result : null, compareAt: isContrary ? now : null };
  return { ...row, asks: row.asks + 1, inquireAt: null, result, outcome, answeredAt: now, ...doubt };
}

/**
 * Returns the attempt after a reconciliation. An attempt without a result is reconciled again after 1 day. If
 * the provider couldn't be reached, it's reconciled again after 1 hour.
 */
export function compared(row: AttemptRow, isRequested: boolean, now: Date): AttemptRow {
  if (row.compareAt === null) return row;
  const againMs = isRequested ? (row.result === null ? dayMs : null) : hourMs;
  return { ...row, compareAt: againMs === null ? null : new Date(now.getTime() + againMs) };
}
