// Decides whether an automatic top-up buys. Pure: the caller loads the attempts of the month and holds the customer's lock.

import type { AutoTopUpAttemptRow, AutoTopUpRow, TopUpReason } from '../rows/topup-rows.ts';
import { addDays, hourMs } from '../time/period.ts';
import { monthIn } from '../time/zoned-month.ts';
import { isCovered } from './consent.ts';
import { pauseEndsAt, usedIn } from './month.ts';
import { type FixedPrice, largestWithin, missingMinor } from './price.ts';
import { termsOf } from './terms.ts';

/** State of the customer on which the decision about an automatic top-up is based. */
export type TopUpState = {
  readonly setting: AutoTopUpRow;
  /** Attempts of the current month at least, in any order. */
  readonly attempts: readonly Pick<AutoTopUpAttemptRow, 'status' | 'amountMinor' | 'createdAt'>[];
  /** Available amount of the account, in pool units. */
  readonly available: bigint;
  readonly currency: string;
  /** True if the subscription is trialing or active. */
  readonly isRunning: boolean;
  readonly isCharging: boolean;
  readonly hasMethod: boolean;
  /** True if the payment method can be charged while the customer is absent. */
  readonly isOffSession: boolean;
  readonly price: FixedPrice;
  /** Returns the total including tax of an amount, in minor units. */
  readonly totalOf: (amount: bigint) => bigint;
  /** Smallest total that can be charged, in minor units. */
  readonly minimum: bigint;
  readonly timeZone: string;
  readonly now: Date;
};

/**
 * Decision about an automatic top-up. `enough`: nothing to buy, because the top-up isn't on or the available amount is above
 * the threshold. `amount` is in minor units before tax. `nextAt` is the time of the next evaluation, and `null` if a
 * change of the state causes it.
 */
export type TopUpDecision =
  | { readonly kind: 'enough' }
  | { readonly kind: 'buy'; readonly amount: bigint }
  | { readonly kind: 'skip'; readonly reason: TopUpReason; readonly nextAt: Date | null }
  | { readonly kind: 'pause'; readonly reason: TopUpReason; readonly until: Date | null };

/** Hours between the first decline and each further attempt. After the last attempt, the top-up pauses. */
const retryHours = [1, 25] as const;

/** Returns the time of the attempt after a number of declines. `null` if there's none, so that the top-up pauses. */
function retryAt(declines: number, firstDeclinedAt: Date): Date | null {
  const hours = retryHours[declines - 1];
  return hours === undefined ? null : new Date(firstDeclinedAt.getTime() + hours * hourMs);
}

/** Decline codes that no retry can cure, because the card or account is lost, stolen, or closed. */
const finalCodes: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'account_closed',
  'bank_account_closed',
]);

const authenticationCodes: ReadonlySet<string> = new Set([
  'authentication_required',
  'authentication_failed',
]);

/** Returns the effect of a decline: the next attempt, or a pause. `declines` includes this decline. */
export function afterDecline(
  declineCode: string,
  declines: number,
  firstDeclinedAt: Date,
): { readonly reason: TopUpReason; readonly nextAt: Date | null } {
  if (authenticationCodes.has(declineCode)) return { reason: 'action_required', nextAt: null };
  const nextAt = finalCodes.has(declineCode) ? null : retryAt(declines, firstDeclinedAt);
  return { reason: 'declined', nextAt };
}

/** Days until an evaluation is repeated although no change of the customer caused it. */
const repeatDays = 1;

const skip = (reason: TopUpReason, nextAt: Date | null = null): TopUpDecision => ({
  kind: 'skip',
  reason,
  nextAt,
});

/** Returns the amount to buy within the limits, or the limit that doesn't allow the purchase. */
function withinLimits(state: TopUpState, price: bigint | null): TopUpDecision {
  const { setting, attempts, totalOf, minimum, available, currency, now } = state;
  const month = monthIn(state.timeZone, now);
  const used = usedIn(attempts, month);
  const { refill } = setting;
  const wanted =
    'target' in refill ? missingMinor(BigInt(refill.target), available, currency) : (price ?? 0n);
  if (totalOf(wanted) < minimum) return skip('below_minimum_charge');
  if (used.count >= setting.maxPerMonth) return skip('monthly_count', month.end);
  const left = setting.maxAmountPerMonth - used.amount;
  const amount = 'target' in refill ? largestWithin(wanted, left, totalOf) : wanted;
  const total = totalOf(amount);
  if (total > left || total < minimum) return skip('monthly_amount', month.end);
  const freeAt = pauseEndsAt(attempts, setting);
  if (freeAt !== null && freeAt > now) return skip('min_pause', freeAt);
  return { kind: 'buy', amount };
}

/** Returns true if the available amount is at or below the threshold. */
export const isLow = ({ threshold }: Pick<AutoTopUpRow, 'threshold'>, available: bigint): boolean =>
  available <= threshold;

/**
 * Decides whether an automatic top-up purchases now. Checks the status and the available amount first, and then the charge in
 * progress, the subscription, the price, the consent, the payment method, the wait after a decline, and the limits. A
 * missing price pauses the top-up for a day.
 */
export function decideTopUp(state: TopUpState): TopUpDecision {
  const { setting, now, price } = state;
  const isPauseOver =
    setting.status === 'paused' && setting.pausedUntil !== null && setting.pausedUntil <= now;
  if (setting.status !== 'on' && !isPauseOver) return { kind: 'enough' };
  if (!isLow(setting, state.available)) return { kind: 'enough' };
  const later = addDays(now, repeatDays);
  if (state.isCharging || state.attempts.some(({ status }) => status === 'processing'))
    return skip('charge_in_progress', later);
  if (!state.isRunning) return skip('subscription_status', later);
  if (typeof price === 'string') return { kind: 'pause', reason: price, until: later };
  if (!isCovered(setting.consent, termsOf(setting, price, state.currency)))
    return skip('consent_outdated', later);
  if (!state.hasMethod) return skip('no_payment_method', later);
  if (!state.isOffSession) return skip('not_off_session', later);
  const retry = setting.firstDeclinedAt === null ? null : retryAt(setting.declines, setting.firstDeclinedAt);
  if (retry !== null && retry > now) return skip('declined', retry);
  return withinLimits(state, price);
}

/** Returns the purchases of the month that contains a time, for events and pages. */
export const monthOf = (
  attempts: TopUpState['attempts'],
  timeZone: string,
  now: Date,
): ReturnType<typeof usedIn> => usedIn(attempts, monthIn(timeZone, now));
