// What the platform's rail is asked for beside charges, and what its answers do (PAY-37): as for charges, the first final answer counts and later ones are kept. Nothing is asked for before it is written down, and everything under its own id.
import { nextInquiryAt } from './attempt.ts';
import { canMove, type PayoutAnswer, type PayoutNews, type PayoutStatus } from './payout.ts';

/** What a request is about. */
export type RailSubject = 'payout' | 'verification';

/** An answer of the rail: a status, and what belongs to it. */
export type RailAnswer = { readonly status: string };

/** A request as it is stored. Its times are operational ones. */
export type RailRequestRow = {
  /** The id of the payout or the verification. */
  readonly id: string;
  readonly subject: RailSubject;
  /** How often the rail was asked. */
  readonly asks: number;
  /** When it was first asked; null while nobody has. */
  readonly askedAt: Date | null;
  /** When it is asked next; null once it has given a final answer. */
  readonly askAt: Date | null;
  /** Whether it is to be taken back. */
  readonly isWithdrawn: boolean;
  /** The final answer that counts. */
  readonly result: RailAnswer | null;
  readonly answeredAt: Date | null;
  /** How many answers came after the one that counts. */
  readonly repeats: number;
  /** An answer that cannot be true together with what is recorded: somebody has to look at it. */
  readonly contradiction: RailAnswer | null;
  readonly createdAt: Date;
};

/** What the rail is asked: to make it, what has become of it, or to take it back. */
export type RailQuestion = 'make' | 'inquire' | 'withdraw';

/** A request that is about to be made: the rail is asked as soon as it is committed. */
export const newRailRequest = (subject: RailSubject, id: string, now: Date): RailRequestRow => ({
  id,
  subject,
  asks: 0,
  askedAt: null,
  askAt: now,
  isWithdrawn: false,
  result: null,
  answeredAt: null,
  repeats: 0,
  contradiction: null,
  createdAt: now,
});

/** What is to be asked about a request. */
export const questionOf = ({ askedAt, isWithdrawn }: RailRequestRow): RailQuestion => {
  if (askedAt === null) return 'make';
  return isWithdrawn ? 'withdraw' : 'inquire';
};

/** A request that is put off until its next inquiry; nobody has been asked. */
export const putOff = (row: RailRequestRow, now: Date): RailRequestRow => ({ ...row, askAt: nextInquiryAt(row.createdAt, now) });

/** A request about which the rail is going to be asked now. Should its answer be lost, the next inquiry is due already. */
export const askedNow = (row: RailRequestRow, now: Date): RailRequestRow => ({
  ...putOff(row, now),
  asks: row.asks + 1,
  askedAt: row.askedAt ?? now,
});

/** A request that is to be taken back, at once. */
export const withdrawn = (row: RailRequestRow, now: Date): RailRequestRow => ({ ...row, isWithdrawn: true, askAt: now });

/** A request that has its final answer. */
export const ended = (row: RailRequestRow, result: RailAnswer, now: Date): RailRequestRow => ({
  ...row,
  askAt: null,
  result,
  answeredAt: now,
});

/** A request with an answer that came after the one that counts; `isFinal` says whether it would have counted. */
export const repeated = (row: RailRequestRow, answer: RailAnswer, isFinal: boolean): RailRequestRow => ({
  ...row,
  repeats: row.repeats + 1,
  contradiction: isFinal && answer.status !== row.result?.status ? answer : row.contradiction,
});

/** What an answer about a payout does: the request as it then is, and where the payout goes; null where it stays. */
export type PayoutAnswered = { readonly request: RailRequestRow; readonly moved: PayoutNews | null };

/**
 * What an answer about a payout in a status does (PAY-37). Only a final one ends the request. One that its status does not lead to is a
 * contradiction, which changes nothing, and the rail is asked again; one that was overtaken, such as `pending` for what is on its way, says
 * nothing.
 */
export function payoutAnswered(status: PayoutStatus, row: RailRequestRow, answer: PayoutAnswer, now: Date): PayoutAnswered {
  if (answer.status === 'unknown') return { request: row, moved: null };
  const isFinal = answer.status === 'paid' || answer.status === 'failed' || answer.status === 'canceled';
  if (row.result !== null) return { request: repeated(row, answer, isFinal), moved: null };
  if (answer.status === 'pending' || answer.status === status) return { request: row, moved: null };
  if (!canMove(status, answer.status)) return { request: { ...row, contradiction: answer }, moved: null };
  // What is on its way cannot be taken back any more.
  return { request: isFinal ? ended(row, answer, now) : { ...row, isWithdrawn: false }, moved: answer };
}
