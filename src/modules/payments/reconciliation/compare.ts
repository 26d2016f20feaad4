import type { AttemptRow } from '../../../domain/subscription/payments/charge-attempt.ts';
import type { Recorded } from '../../../providers/provider.ts';

/** Difference between a payment attempt or refund and the payment provider's record. */
export type Difference = {
  /** Type of difference: a missing record, a different status, or a different amount. `missing_here` means that Quittance has no record. */
  readonly kind: 'missing_here' | 'missing_there' | 'status' | 'amount';
  /** ID of the attempt in Quittance. `null` if only the provider has a record. */
  readonly attemptId: string | null;
  readonly refundOf: string | null;
  /** ID of the record at the payment provider. `null` if only Quittance has a record. */
  readonly reference: string | null;
  readonly statusHere: string | null;
  readonly statusThere: string | null;
  readonly amountHere: bigint | null;
  readonly amountThere: bigint | null;
  readonly currency: string | null;
  readonly isRepaired: boolean;
};

/** Returns the recorded status of an attempt. `pending` if no response was accepted. */
const statusHere = ({ result }: AttemptRow): string => result?.status ?? 'pending';

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

/** Returns the difference for a provider record that Quittance doesn't have. */
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
 * Compares a resolved attempt with the provider's record, if any, and returns the difference. `null` if the attempt and
 * the record agree about the money that moved. Declines, incomplete authentications, and requests that the provider
 * doesn't know are therefore treated as equal.
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
