// Payouts (PAY-36, PAY-37): what may be asked for, and which statuses lead where.
import type { Refusal } from './errors.ts';
import { addDays, nextMidnight } from './period.ts';

/** Statuses of a payout; `paid`, `failed` and `canceled` are terminal. */
export type PayoutStatus = 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';

/** Whether the organization may take money out: not asked for yet, being looked at, allowed, or refused (PAY-38). */
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

/** Why an amount cannot be paid out of what is available, which may be negative (PAY-36, PAY-40); null when it can. */
export function payoutRefusal(amountMinor: bigint, availableMinor: bigint): Refusal | null {
  if (amountMinor <= availableMinor) return null;
  const message = availableMinor < 0n ? 'The balance is negative; payouts wait until it is covered.' : 'More than is available.';
  return { code: 'insufficient_balance', message, param: 'amount' };
}

const isWeekend = (instant: Date): boolean => instant.getUTCDay() % 6 === 0;

/** The midnight that begins the n-th business day after the day of an instant; Saturdays and Sundays are none. */
export function businessDay(from: Date, n: number): Date {
  let day = nextMidnight(from);
  for (let left = n; ; day = addDays(day, 1)) if (!isWeekend(day) && --left === 0) return day;
}

/** When the sandbox moves a payout that was made at an instant, on its test clock: on its way the next business day, there on the third. */
export const sandboxSteps = { in_transit: 1, paid: 3 } as const;
