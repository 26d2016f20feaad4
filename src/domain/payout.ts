// Payouts (PAY-36, PAY-37): which amounts are possible, and which status follows which.
import type { Rejection } from './errors.ts';
import { addDays, nextMidnight } from './period.ts';

/** Statuses of a payout; `paid`, `failed` and `canceled` are terminal. */
export type PayoutStatus = 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';

/**
 * Whether the organization may take money out: not requested, under review, allowed, or rejected (PAY-38).
 */
export type PayoutAccountStatus = 'none' | 'pending' | 'verified' | 'rejected';

/** The smallest payout, US cents (PAY-36). */
export const smallestPayoutMinor = 1_000n;

/** Which statuses follow which. */
const next: { readonly [status in PayoutStatus]: readonly PayoutStatus[] } = {
  pending: ['in_transit', 'paid', 'failed', 'canceled'],
  in_transit: ['paid', 'failed'],
  paid: [],
  failed: [],
  canceled: [],
};

/** Whether a payout may move to a status. */
export const canMove = (from: PayoutStatus, to: PayoutStatus): boolean => next[from].includes(to);

/**
 * Why an amount cannot be paid out of what is available, which may be negative (PAY-36, PAY-40); null when it
 * can.
 */
export function payoutRejection(amountMinor: bigint, availableMinor: bigint): Rejection | null {
  if (amountMinor <= availableMinor) return null;
  const message =
    availableMinor < 0n
      ? 'The balance is negative; payouts wait until it is covered.'
      : 'More than is available.';
  return { code: 'insufficient_balance', message, param: 'amount' };
}

const isWeekend = (instant: Date): boolean => instant.getUTCDay() % 6 === 0;

/**
 * The midnight that begins the n-th business day after the day of an instant; Saturdays and Sundays do not
 * count.
 */
export function businessDay(from: Date, n: number): Date {
  let day = nextMidnight(from);
  for (let left = n; ; day = addDays(day, 1)) if (!isWeekend(day) && --left === 0) return day;
}

/**
 * When the sandbox moves a payout that was made at an instant, on its test clock: on its way the next
 * business day, there on the third.
 */
export const sandboxSteps = { in_transit: 1, paid: 3 } as const;

/** Within so many business days after the day of the request a payout arrives (PAY-37). */
const arrivalDays = 7;

/** The end of the last day on which a payout made at an instant may arrive. */
export const arrivesBy = (createdAt: Date): Date => nextMidnight(businessDay(createdAt, arrivalDays));

/** The destination of a payout, from the provider. */
export type PayoutNews =
  | { readonly status: 'in_transit' }
  | { readonly status: 'paid' }
  | { readonly status: 'canceled' }
  | { readonly status: 'failed'; readonly code: string; readonly message: string };

/** The provider's answer about a payout. `unknown` means that no answer came. */
export type PayoutAnswer = PayoutNews | { readonly status: 'pending' } | { readonly status: 'unknown' };

/** Failure codes of banks that mean the account cannot receive payouts. */
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
 * Whether a payout failed because of the account it went to, so that the next one would fail as well
 * (PAY-39).
 */
export const isAccountFault = (failureCode: string): boolean => accountFaults.has(failureCode);
