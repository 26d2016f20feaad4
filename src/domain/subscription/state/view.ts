// Subscription periods in API format (SUB-60 … SUB-63).
import { lastSlotAt, nextRetryAt } from '../../payments/dunning.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { daysRemaining } from '../../time/period.ts';

type Shown = Pick<
  SubscriptionRow,
  | 'status'
  | 'billingInterval'
  | 'anchorDate'
  | 'periodStart'
  | 'periodEnd'
  | 'trialEndsAt'
  | 'cancelAtPeriodEnd'
  | 'dunningStartedAt'
  | 'dunningAttempts'
  | 'retryTerms'
>;

/**
 * Returns the current period and its remaining days, including today. `null` if the subscription has no
 * period.
 */
export function currentPeriod(
  subscription: Pick<Shown, 'periodStart' | 'periodEnd'>,
  now: Date,
): { start: Date; end: Date; daysRemaining: number } | null {
  const { periodStart: start, periodEnd: end } = subscription;
  return start === null || end === null
    ? null
    : { start, end, daysRemaining: daysRemaining({ start, end }, now) };
}

/** Returns the billing day of the month, from 1 to 31. `null` if the plan is weekly or has no period yet (GLO-19). */
export const billingDayOfMonth = (
  subscription: Pick<Shown, 'billingInterval' | 'anchorDate'>,
): number | null =>
  subscription.billingInterval === 'weekly' ? null : (subscription.anchorDate?.getUTCDate() ?? null);

/** Returns the time of the next automatic retry. `null` if the subscription isn't past due (BIL-41). */
export const nextAutomaticRetryAt = ({
  status,
  dunningStartedAt,
  dunningAttempts,
  retryTerms,
}: Pick<Shown, 'status' | 'dunningStartedAt' | 'dunningAttempts' | 'retryTerms'>): Date | null =>
  status === 'past_due' ? nextRetryAt(dunningStartedAt, dunningAttempts, retryTerms) : null;

/**
 * Returns the time at which a past-due subscription ends if the outstanding amount isn't paid. `null` if the
 * subscription isn't past due, or if it doesn't end: one-time subscriptions, and subscriptions that stay past due after the last retry
 * (BIL-11, BIL-43).
 */
export function accessEndsAt({
  status,
  billingInterval,
  dunningStartedAt,
  retryTerms,
}: Pick<Shown, 'status' | 'billingInterval' | 'dunningStartedAt' | 'retryTerms'>): Date | null {
  if (status !== 'past_due' || billingInterval === 'one_time' || dunningStartedAt === null) return null;
  return retryTerms === null || retryTerms.lastRetryAction === 'keep_past_due'
    ? null
    : lastSlotAt(dunningStartedAt, retryTerms);
}

export const billingColumns = [
  'status',
  'billingInterval',
  'periodEnd',
  'trialEndsAt',
  'cancelAtPeriodEnd',
  'dunningStartedAt',
  'dunningAttempts',
  'retryTerms',
] as const;

/**
 * Returns the time of the next charge: the end of the trial, the end of the period, or the next dunning retry. `null` if no charge is
 * scheduled (SUB-63).
 */
export function nextBillingDate(subscription: Pick<Shown, (typeof billingColumns)[number]>): Date | null {
  const { status, billingInterval, cancelAtPeriodEnd } = subscription;
  if (cancelAtPeriodEnd) return null;
  if (status === 'trialing') return subscription.trialEndsAt;
  if (status === 'past_due') return nextAutomaticRetryAt(subscription);
  const isRecurring = billingInterval !== null && billingInterval !== 'one_time';
  return status === 'active' && isRecurring ? subscription.periodEnd : null;
}
