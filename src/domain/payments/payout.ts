// Allowed amounts and status transitions of payouts (PAY-36, PAY-37).
import type { Rejection } from '../errors/errors.ts';
import { addDays, nextMidnight } from '../time/period.ts';

/** Statuses of a payout. `paid`, `failed`, and `canceled` are final. */
export type PayoutStatus = 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';

/**
 * Verification status of an organization for payouts: `none` before the verification is submitted, `pending`
 * during the review (PAY-38).
 */
export type PayoutAccountStatus = 'none' | 'pending' | 'verified' | 'rejected';

/** Minimum payout in US cents (PAY-36). */
export const smallestPayoutMinor = 1_000n;

const next: { readonly [status in PayoutStatus]: readonly PayoutStatus[] } = {
  pending: ['in_transit', 'paid', 'failed', 'canceled'],
  in_transit: ['paid', 'failed'],
  paid: [],
  failed: [],
  canceled: [],
};

export const canMove = (from: PayoutStatus, to: PayoutStatus): boolean => next[from].includes(to);

/**
 * Returns the reason why an amount can't be paid out, or `null` if a payout is possible. The available balance can be
 * negative (PAY-36, PAY-40).
 */
export function payoutRejection(amountMinor: bigint, availableMinor: bigint): Rejection | null {
  if (amountMinor <= availableMinor) return null;
  const message =
    availableMinor < 0n
      ? 'The balance is negative. You can request a payout when the balance is positive again.'
      : 'The amount exceeds the available balance. Request a smaller amount.';
  return { code: 'insufficient_balance', message, param: 'amount' };
}

const isWeekend = (instant: Date): boolean => instant.getUTCDay() % 6 === 0;

/** Returns the start of the `n`th business day (Monday to Friday) after a given day. */
export function businessDay(from: Date, n: number): Date {
  let day = nextMidnight(from);
  for (let left = n; ; day = addDays(day, 1)) if (!isWeekend(day) && --left === 0) return day;
}

/** Number of business days, in the test clock's time, after which a sandbox payout reaches each status. */
export const sandboxSteps = { in_transit: 1, paid: 3 } as const;

/** Maximum number of business days until a payout arrives (PAY-37). */
const arrivalDays = 7;

/** Returns the end of the latest possible arrival day of a payout. */
export const arrivesBy = (createdAt: Date): Date => nextMidnight(businessDay(createdAt, arrivalDays));

/** Status change that a provider reports for a payout. */
export type PayoutStatusChange =
  | { readonly status: 'in_transit' }
  | { readonly status: 'paid' }
  | { readonly status: 'canceled' }
  | { readonly status: 'failed'; readonly code: string; readonly message: string };

/** Provider's response to a payout request. `unknown` means that the provider didn't respond. */
export type PayoutAnswer =
  | PayoutStatusChange
  | { readonly status: 'pending' }
  | { readonly status: 'unknown' };

/** Failure codes of bank accounts that can't receive payouts. */
const accountFaults: ReadonlySet<string> = new Set([
  'account_closed',
  'account_frozen',
  'bank_account_restricted',
  'bank_ownership_changed',
  'incorrect_account_holder_address',
  'incorrect_account_holder_name',
  'incorrect_account_holder_tax_id',
  'invalid_account_number',
  'invalid_account_number_length',
  'invalid_currency',
  'no_account',
]);

/**
 * Returns true if a payout failed because of its bank account, so that further payouts would also fail
 * (PAY-39).
 */
export const isAccountFault = (failureCode: string): boolean => accountFaults.has(failureCode);
