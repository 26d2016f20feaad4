// Requests to providers beside charges, and their answers (PAY-34, PAY-37). The first final answer
// counts, later ones are recorded. Nothing is asked for before it is written down, and everything under its
// own id.
import { nextInquiryAt } from './attempt.ts';
import { canMove, type PayoutAnswer, type PayoutNews, type PayoutStatus } from './payout.ts';

/** What a request is about. */
export type ProviderRequestSubject = 'payout' | 'verification' | 'payment_method';

/** An answer of the provider: a status, and what belongs to it. */
export type PlatformProcessorAnswer = { readonly status: string };

/** A request as it is stored. Its times are real ones. */
export type ProviderRequestRow = {
  /** The id of the payout, the verification or the payment method. */
  readonly id: string;
  readonly subject: ProviderRequestSubject;
  /** How often the provider was asked. */
  readonly asks: number;
  /** When it was first asked; null before that. */
  readonly requestedAt: Date | null;
  /** When it is asked next; null once it has given a final answer. */
  readonly inquireAt: Date | null;
  /** Whether it is to be taken back. */
  readonly isWithdrawn: boolean;
  /** The final answer that counts. */
  readonly result: PlatformProcessorAnswer | null;
  readonly answeredAt: Date | null;
  /** How many answers came after the one that counts. */
  readonly repeats: number;
  /** An answer that contradicts what is recorded. A person has to check it. */
  readonly contradiction: PlatformProcessorAnswer | null;
  readonly createdAt: Date;
};

/** The question to the provider: create, inquire or cancel. */
export type PlatformProcessorQuestion = 'make' | 'inquire' | 'withdraw';

/** A request that is about to be made: the provider is asked as soon as it is committed. */
export const newProviderRequest = (
  subject: ProviderRequestSubject,
  id: string,
  now: Date,
): ProviderRequestRow => ({
  id,
  subject,
  asks: 0,
  requestedAt: null,
  inquireAt: now,
  isWithdrawn: false,
  result: null,
  answeredAt: null,
  repeats: 0,
  contradiction: null,
  createdAt: now,
});

/** The next question about a request. */
export const questionOf = ({ requestedAt, isWithdrawn }: ProviderRequestRow): PlatformProcessorQuestion => {
  if (requestedAt === null) return 'make';
  return isWithdrawn ? 'withdraw' : 'inquire';
};

/** A request postponed until its next inquiry, without a question. */
export const putOff = (row: ProviderRequestRow, now: Date): ProviderRequestRow => ({
  ...row,
  inquireAt: nextInquiryAt(row.createdAt, now),
});

/**
 * A request about which the provider is going to be asked now. If the answer is lost, the next inquiry is
 * due.
 */
export const requestedNow = (row: ProviderRequestRow, now: Date): ProviderRequestRow => ({
  ...putOff(row, now),
  asks: row.asks + 1,
  requestedAt: row.requestedAt ?? now,
});

/** A request that is to be taken back, at once. */
export const withdrawn = (row: ProviderRequestRow, now: Date): ProviderRequestRow => ({
  ...row,
  isWithdrawn: true,
  inquireAt: now,
});

/** A request that has its final answer. */
export const ended = (
  row: ProviderRequestRow,
  result: PlatformProcessorAnswer,
  now: Date,
): ProviderRequestRow => ({
  ...row,
  inquireAt: null,
  result,
  answeredAt: now,
});

/**
 * A request with an answer that came after the one that counts; `isFinal` says whether it would have counted.
 */
export const repeated = (
  row: ProviderRequestRow,
  answer: PlatformProcessorAnswer,
  isFinal: boolean,
): ProviderRequestRow => ({
  ...row,
  repeats: row.repeats + 1,
  contradiction: isFinal && answer.status !== row.result?.status ? answer : row.contradiction,
});

/**
 * The effect of an answer about a payout: the changed request, and the next status of the payout; null where
 * it stays.
 */
export type PayoutAnswered = { readonly request: ProviderRequestRow; readonly moved: PayoutNews | null };

/**
 * Applies an answer about a payout in a status (PAY-37). Only a final one ends the request. One that its
 * status does not lead to is a contradiction, which changes nothing, and the provider is asked again; an
 * outdated one, such as `pending` for a payout on its way, is ignored.
 */
export function payoutAnswered(
  status: PayoutStatus,
  row: ProviderRequestRow,
  answer: PayoutAnswer,
  now: Date,
): PayoutAnswered {
  if (answer.status === 'unknown') return { request: row, moved: null };
  const isFinal = answer.status === 'paid' || answer.status === 'failed' || answer.status === 'canceled';
  if (row.result !== null) return { request: repeated(row, answer, isFinal), moved: null };
  if (answer.status === 'pending' || answer.status === status) return { request: row, moved: null };
  if (!canMove(status, answer.status)) return { request: { ...row, contradiction: answer }, moved: null };
  // A payout on its way can no longer be canceled.
  return { request: isFinal ? ended(row, answer, now) : { ...row, isWithdrawn: false }, moved: answer };
}
