// The periods of a subscription as the API shows them (SUB-60 … SUB-63).
import { lastSlotAt, nextRetryAt } from '../../dunning.ts';
import { daysRemaining } from '../../period.ts';
import type { SubscriptionRow } from './rows.ts';

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
>;

/** The period in force with its days left, today included; null before the first and without one. */
export function currentPeriod(
  subscription: Pick<Shown, 'periodStart' | 'periodEnd'>,
  now: Date,
): { start: Date; end: Date; daysRemaining: number } | null {
  const { periodStart: start, periodEnd: end } = subscription;
  return start === null || end === null
    ? null
    : { start, end, daysRemaining: daysRemaining({ start, end }, now) };
}

/**
 * The day of the month boundaries are counted from, 1 to 31; null on weekly plans and before the first period
 * (GLO-19).
 */
export const billingDayOfMonth = (
  subscription: Pick<Shown, 'billingInterval' | 'anchorDate'>,
): number | null =>
  subscription.billingInterval === 'weekly' ? null : (subscription.anchorDate?.getUTCDate() ?? null);

/** When dunning charges a past-due subscription next; null for any other (BIL-41). */
export const nextAutomaticRetryAt = ({
  status,
  dunningStartedAt,
  dunningAttempts,
}: Pick<Shown, 'status' | 'dunningStartedAt' | 'dunningAttempts'>): Date | null =>
  status === 'past_due' ? nextRetryAt(dunningStartedAt, dunningAttempts) : null;

/**
 * When a past-due subscription ends unless what it owes is paid before; null for any other, and for what was
 * bought once, which does not end (BIL-11, BIL-43).
 */
export function accessEndsAt({
  status,
  billingInterval,
  dunningStartedAt,
}: Pick<Shown, 'status' | 'billingInterval' | 'dunningStartedAt'>): Date | null {
  if (status !== 'past_due' || billingInterval === 'one_time' || dunningStartedAt === null) return null;
  return lastSlotAt(dunningStartedAt);
}

/** The columns `nextBillingDate` goes by. */
export const billingColumns = [
  'status',
  'billingInterval',
  'periodEnd',
  'trialEndsAt',
  'cancelAtPeriodEnd',
  'dunningStartedAt',
  'dunningAttempts',
] as const;

/**
 * When money is next asked for: the trial's end, the period's end, or the next dunning slot; null when
 * nothing is (SUB-63).
 */
export function nextBillingDate(subscription: Pick<Shown, (typeof billingColumns)[number]>): Date | null {
  const { status, billingInterval, cancelAtPeriodEnd } = subscription;
  if (cancelAtPeriodEnd) return null;
  if (status === 'trialing') return subscription.trialEndsAt;
  if (status === 'past_due') return nextAutomaticRetryAt(subscription);
  const isRecurring = billingInterval !== null && billingInterval !== 'one_time';
  return status === 'active' && isRecurring ? subscription.periodEnd : null;
}
