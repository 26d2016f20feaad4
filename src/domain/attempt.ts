// What was asked of a gateway over a network, and what came back (protocols D1, B6): the first final answer counts, later ones are kept.
import type { ChargeRequest, ChargeResult } from './gateway.ts';
import { minuteMs } from './period.ts';
import type { Outcome } from './subscription/changes.ts';

/** An attempt as it is stored. Its times are operational ones: no test clock makes a processor answer sooner. */
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
  readonly askAt: Date | null;
  /** The answer that counts. */
  readonly result: ChargeResult | null;
  /** What that answer led to. */
  readonly outcome: Outcome | null;
  readonly answeredAt: Date | null;
  /** How many answers came after the one that counts. */
  readonly repeats: number;
  /** An answer that says otherwise than what counts: somebody has to look at it. */
  readonly contradiction: ChargeResult | null;
  /** When what the gateway has on record of it and of those made after it is compared; null without a reason to. */
  readonly compareAt: Date | null;
  readonly createdAt: Date;
};

const hourMs = 60 * minuteMs;

/** Minutes after the request at which it is inquired about; hourly after the last (BIL-2 rank 0). */
const inquiryMinutes = [1, 5, 15, 60];

/** An attempt without an answer for so long is compared with what the gateway has on record: all early inquiries came to nothing. */
const doubtfulMs = 60 * minuteMs;

/** When a request without an answer is inquired about next. */
export function nextInquiryAt(askedAt: Date, now: Date): Date {
  const elapsedMs = now.getTime() - askedAt.getTime();
  const early = inquiryMinutes.map((minutes) => minutes * minuteMs).find((ms) => ms > elapsedMs);
  return new Date(askedAt.getTime() + (early ?? (Math.floor(elapsedMs / hourMs) + 1) * hourMs));
}

/** An attempt that is about to be made. */
export const newAttempt = (request: ChargeRequest, isBatch: boolean, now: Date): AttemptRow => ({
  id: request.transactionId,
  customerId: request.customerId,
  request,
  isBatch,
  asks: 0,
  askAt: nextInquiryAt(now, now),
  result: null,
  outcome: null,
  answeredAt: null,
  repeats: 0,
  contradiction: null,
  compareAt: null,
  createdAt: now,
});

const postponed = (row: AttemptRow, now: Date): AttemptRow => ({ ...row, asks: row.asks + 1, askAt: nextInquiryAt(row.createdAt, now) });

/** An attempt the gateway has said nothing about when asked. */
export function withoutAnswer(row: AttemptRow, now: Date): AttemptRow {
  if (row.answeredAt !== null) return row;
  const isDoubtful = now.getTime() - row.createdAt.getTime() >= doubtfulMs;
  return { ...postponed(row, now), compareAt: row.compareAt ?? (isDoubtful ? now : null) };
}

/** Whether nobody waited for the answer any more: what it is about had ended in another way before it came. */
const isIdle = (outcome: Outcome): boolean =>
  (outcome.kind === 'ok' && outcome.status === 'unchanged') || (outcome.kind === 'refusal' && outcome.code === 'transaction_not_found');

/** Whether the payer is asked to authenticate. Where nobody could ask, a wish for authentication is a decline (BIL-45). */
export const waitsForPayer = (outcome: Outcome): boolean => outcome.kind === 'ok' && outcome.status === 'requires_action';

/**
 * An attempt after an answer, with what the answer led to. One that waits for the payer stays open. Money that moved for an attempt nobody
 * waits for, and a later answer that says otherwise about it than the one that counts, are contradictions.
 */
export function withAnswer(row: AttemptRow, result: ChargeResult, outcome: Outcome, now: Date): AttemptRow {
  if (result.status === 'unknown') return withoutAnswer(row, now);
  if (row.result !== null) {
    const isContrary = (row.result.status === 'settled') !== (result.status === 'settled');
    const doubt = isContrary ? { contradiction: result, compareAt: row.contradiction === null ? now : row.compareAt } : {};
    return { ...row, repeats: row.repeats + 1, ...doubt };
  }
  if (waitsForPayer(outcome)) return postponed(row, now);
  const isContrary = result.status === 'settled' && isIdle(outcome);
  const doubt = { contradiction: isContrary ? result : null, compareAt: isContrary ? now : null };
  return { ...row, asks: row.asks + 1, askAt: null, result, outcome, answeredAt: now, ...doubt };
}

const dayMs = 24 * hourMs;

/**
 * An attempt after it was compared: one without an answer is compared again in a day, one whose gateway could not be asked in an hour.
 */
export function compared(row: AttemptRow, isAsked: boolean, now: Date): AttemptRow {
  if (row.compareAt === null) return row;
  const againMs = isAsked ? (row.result === null ? dayMs : null) : hourMs;
  return { ...row, compareAt: againMs === null ? null : new Date(now.getTime() + againMs) };
}
