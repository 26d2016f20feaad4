// Requests to remote gateways and their answers. The first final answer counts, later ones
// are recorded.

import { minuteMs } from './period.ts';
import type { ChargeRequest, ChargeResult } from './provider.ts';
import type { Outcome } from './subscription/state/changes.ts';

/**
 * An attempt as it is stored. Its times are real ones: a test clock does not change when a processor answers.
 */
export type AttemptRow = {
  /** The id of the transaction or refund, or an id without a row where a method is only set up. */
  readonly id: string;
  readonly customerId: string;
  readonly request: ChargeRequest;
  /** Whether the worker made it, charging many at once. */
  readonly isBatch: boolean;
  /** How often the gateway was asked without an answer that counts. */
  readonly asks: number;
  /** When it is inquired about next; null once it has been answered. */
  readonly inquireAt: Date | null;
  /** The answer that counts. */
  readonly result: ChargeResult | null;
  /** The outcome of that answer. */
  readonly outcome: Outcome | null;
  readonly answeredAt: Date | null;
  /** How many answers came after the one that counts. */
  readonly repeats: number;
  /** An answer that contradicts the one that counts. A person has to check it. */
  readonly contradiction: ChargeResult | null;
  /** When it and later attempts are compared with the records of the gateway; null without a reason to. */
  readonly compareAt: Date | null;
  readonly createdAt: Date;
};

const hourMs = 60 * minuteMs;

/** Minutes after the request at which it is inquired about; hourly after the last (BIL-2 rank 0). */
const inquiryMinutes = [1, 5, 15, 60];

/**
 * An attempt without an answer for so long is compared with what the gateway has on record: all early
 * inquiries failed.
 */
const doubtfulMs = 60 * minuteMs;

/** When a request without an answer is inquired about next. */
export function nextInquiryAt(requestedAt: Date, now: Date): Date {
  const elapsedMs = now.getTime() - requestedAt.getTime();
  const early = inquiryMinutes.map((minutes) => minutes * minuteMs).find((ms) => ms > elapsedMs);
  return new Date(requestedAt.getTime() + (early ?? (Math.floor(elapsedMs / hourMs) + 1) * hourMs));
}

/** An attempt that is about to be made. */
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

/** An attempt after an inquiry without an answer. */
export function withoutAnswer(row: AttemptRow, now: Date): AttemptRow {
  if (row.answeredAt !== null) return row;
  const isDoubtful = now.getTime() - row.createdAt.getTime() >= doubtfulMs;
  return { ...postponed(row, now), compareAt: row.compareAt ?? (isDoubtful ? now : null) };
}

/** Whether the answer came too late: its subject had ended in another way before. */
const isIdle = (outcome: Outcome): boolean =>
  (outcome.kind === 'ok' && outcome.status === 'unchanged') ||
  (outcome.kind === 'rejection' && outcome.code === 'transaction_not_found');

/**
 * Whether the payer is asked to authenticate. Where the payer is absent, a request for authentication is a
 * decline (BIL-45).
 */
export const waitsForPayer = (outcome: Outcome): boolean =>
  outcome.kind === 'ok' && outcome.status === 'requires_action';

/**
 * An attempt after an answer, with what the answer led to. One that waits for the payer stays open. Money
 * moved for an attempt that has ended is a contradiction, and so is a later answer that differs from the one
 * that counts.
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
  // A card that was only verified has moved no money.
  const isContrary = result.status === 'settled' && isIdle(outcome) && row.request.kind !== 'setup';
  const doubt = { contradiction: isContrary ? result : null, compareAt: isContrary ? now : null };
  return { ...row, asks: row.asks + 1, inquireAt: null, result, outcome, answeredAt: now, ...doubt };
}

const dayMs = 24 * hourMs;

/**
 * An attempt after it was compared: one without an answer is compared again in a day, one whose gateway could
 * not be asked in an hour.
 */
export function compared(row: AttemptRow, isRequested: boolean, now: Date): AttemptRow {
  if (row.compareAt === null) return row;
  const againMs = isRequested ? (row.result === null ? dayMs : null) : hourMs;
  return { ...row, compareAt: againMs === null ? null : new Date(now.getTime() + againMs) };
}
