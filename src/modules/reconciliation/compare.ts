import type { AttemptRow } from '../../domain/attempt.ts';
import type { Recorded } from '../../providers/provider.ts';

/** Something the gateway and we say differently. */
export type Difference = {
  /** What differs: one side knows nothing of it, how it ended, or the amount. */
  readonly kind: 'missing_here' | 'missing_there' | 'status' | 'amount';
  /** Our transaction or refund; null for what only the gateway knows. */
  readonly attemptId: string | null;
  /** The transaction whose money a refund returns. */
  readonly refundOf: string | null;
  /** What the gateway calls it; null for what only we know. */
  readonly reference: string | null;
  readonly statusHere: string | null;
  readonly statusThere: string | null;
  readonly amountHere: bigint | null;
  readonly amountThere: bigint | null;
  readonly currency: string | null;
  readonly isRepaired: boolean;
};

/** How an attempt stands here; `pending` without an answer that counts. */
export const statusHere = ({ result }: AttemptRow): string => result?.status ?? 'pending';

/** A difference about an attempt and what the gateway has on record of it. */
export const differenceOf = (
  kind: Difference['kind'],
  attempt: AttemptRow,
  recorded: Recorded | null,
  changes: Partial<Difference> = {},
): Difference => ({
  kind,
  attemptId: attempt.id,
  refundOf: attempt.request.refundOf ?? null,
  reference: recorded?.reference ?? null,
  statusHere: statusHere(attempt),
  statusThere: recorded?.result.status ?? null,
  amountHere: attempt.request.amountMinor,
  amountThere: recorded?.amountMinor ?? null,
  currency: attempt.request.currency,
  isRepaired: false,
  ...changes,
});

/** Something the gateway has on record that we know nothing of. */
export const unknownHere = (
  { refundOf, reference, result, amountMinor, currency }: Recorded,
  isRepaired: boolean,
): Difference => ({
  kind: 'missing_here',
  attemptId: null,
  refundOf,
  reference,
  statusHere: null,
  statusThere: result.status,
  amountHere: null,
  amountThere: amountMinor,
  currency,
  isRepaired,
});

const isSettled = ({ result }: { readonly result: { readonly status: string } | null }): boolean =>
  result?.status === 'settled';

/**
 * Compares an attempt that has its answer with what the gateway has on record of it, null for nothing; the answer is a difference, or null.
 * Only money counts: declines and authentications that came to nothing are the same, and so is a request that was never heard of.
 */
export function compare(attempt: AttemptRow, recorded: Recorded | null): Difference | null {
  if (attempt.result === null) return null;
  if (recorded === null) return isSettled(attempt) ? differenceOf('missing_there', attempt, null) : null;
  if (isSettled(attempt) !== isSettled(recorded)) return differenceOf('status', attempt, recorded);
  const { kind, amountMinor, currency } = attempt.request;
  if (kind === 'setup' || !isSettled(attempt) || recorded.amountMinor === null) return null;
  const isSame = recorded.amountMinor === amountMinor && recorded.currency === currency;
  return isSame ? null : differenceOf('amount', attempt, recorded);
}
