// State of a provider request that isn't a charge: a payout, verification, or removal of a payment method (PAY-34, PAY-37). The first final
// response applies. Each request is stored with its own ID before it's sent.
import { nextInquiryAt } from './inquiry.ts';
import { canMove, type PayoutAnswer, type PayoutStatus, type PayoutStatusChange } from './payout.ts';

export type ProviderRequestSubject = 'payout' | 'verification' | 'payment_method';

/** Provider's response: a status and further details. */
export type PlatformProcessorAnswer = { readonly status: string };

/** Stored request to a payment provider that isn't a charge. All times are in real time, even in a sandbox. */
export type ProviderRequestRow = {
  /** ID of the payout, verification, or payment method that the request concerns. */
  readonly id: string;
  readonly subject: ProviderRequestSubject;
  /** Number of requests sent to the provider. */
  readonly asks: number;
  /** Time of the first request. `null` if the request hasn't been sent yet. */
  readonly requestedAt: Date | null;
  /** Time of the next request. `null` if there is a final response. */
  readonly inquireAt: Date | null;
  /** True if the request must be canceled at the provider. */
  readonly isWithdrawn: boolean;
  /** First final response. `null` if the provider hasn't returned one. */
  readonly result: PlatformProcessorAnswer | null;
  readonly answeredAt: Date | null;
  /** Number of responses received after the first final response. */
  readonly repeats: number;
  /**
   * Response that contradicts the stored state and must be checked manually. `null` if no response
   * contradicts it.
   */
  readonly contradiction: PlatformProcessorAnswer | null;
  readonly createdAt: Date;
};

/** Message to the provider: a new request, an inquiry, or a cancellation. */
export type PlatformProcessorAction = 'make' | 'inquire' | 'withdraw';

/** Returns a new request. The provider is contacted after the request is committed. */
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

/** Returns the next message to the provider: the request, an inquiry, or a cancellation. */
export const nextActionOf = ({ requestedAt, isWithdrawn }: ProviderRequestRow): PlatformProcessorAction => {
  if (requestedAt === null) return 'make';
  return isWithdrawn ? 'withdraw' : 'inquire';
};

/** Returns the request with its next inquiry postponed. The number of sent requests doesn't change. */
export const postponedRequest = (row: ProviderRequestRow, now: Date): ProviderRequestRow => ({
  ...row,
  inquireAt: nextInquiryAt(row.createdAt, now),
});

/**
 * Returns the request marked as sent. If the provider doesn't respond, the next inquiry is due at
 * `inquireAt`.
 */
export const requestedNow = (row: ProviderRequestRow, now: Date): ProviderRequestRow => ({
  ...postponedRequest(row, now),
  asks: row.asks + 1,
  requestedAt: row.requestedAt ?? now,
});

/** Returns the request marked for immediate cancellation at the provider. */
export const withdrawn = (row: ProviderRequestRow, now: Date): ProviderRequestRow => ({
  ...row,
  isWithdrawn: true,
  inquireAt: now,
});

/** Returns the request with its final response. */
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
 * Returns the request after another response. Records a contradiction if the response is final (`isFinal`)
 * and has a different status.
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
 * State of a payout request after a response, and the payout's next status. `moved` is `null` if the
 * status doesn't change.
 */
export type PayoutAnswered = {
  readonly request: ProviderRequestRow;
  readonly moved: PayoutStatusChange | null;
};

/**
 * Applies a provider response to a payout with a given status (PAY-37). Only a final response ends the
 * request. If the status transition isn't allowed, the response is recorded as a contradiction and the
 * request stays open. Outdated responses, such as `pending` for a payout in transit, are ignored.
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
  // A payout in transit can't be canceled anymore.
  return { request: isFinal ? ended(row, answer, now) : { ...row, isWithdrawn: false }, moved: answer };
}
