// Billing periods and usage windows of a subscription, and the deadlines that end them.

import type { RecurringInterval } from '../../rows/enums.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import {
  boundary,
  boundaryNumber,
  earlier,
  type Period,
  periodInterval,
  utcMidnight,
  windowInterval,
} from '../../time/period.ts';
import type { Cadence } from '../pricing/cadence.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { scheduleExpiring, scheduleUpcoming } from './notices.ts';

/**
 * Returns true if the plan renews at the end of each period. Free and one-time plans only have usage windows
 * (GLO-21).
 */
export const isRecurring = (subscription: Pick<SubscriptionRow, 'billingInterval'>): boolean =>
  subscription.billingInterval !== null && subscription.billingInterval !== 'one_time';

export const planCadence: Cadence = { interval: null, isTurn: false };

type PeriodFields = Pick<
  SubscriptionRow,
  'anchorDate' | 'periodStart' | 'periodEnd' | 'windowStart' | 'windowEnd' | 'termsFrom'
>;

/**
 * Returns a new period that opens at a given time, and sets the anchor to 00:00 UTC of that date (SUB-60).
 * Its length is the interval of the plan, unless an offer has its own interval (OFR-13).
 */
export function openedPeriod(
  subscription: SubscriptionRow,
  at: Date,
  cadence: RecurringInterval | null = null,
): PeriodFields {
  const anchorDate = utcMidnight(at);
  return {
    anchorDate,
    periodStart: anchorDate,
    periodEnd: boundary(anchorDate, cadence ?? periodInterval(subscription.billingInterval), 1),
    windowStart: freshWindow(subscription.windowStart, anchorDate),
    windowEnd: boundary(anchorDate, windowInterval(subscription.billingInterval), 1),
    termsFrom: at,
  };
}

/**
 * Returns the start time of a usage window that opens on a day. Usage windows are identified by their start, so a
 * second window on the same day starts 1 millisecond after the first.
 */
const freshWindow = (previous: Date | null, day: Date): Date =>
  previous !== null && previous >= day ? new Date(previous.getTime() + 1) : day;

/** Returns true if a time is a period boundary relative to the anchor. */
const isOnGrid = (anchor: Date, interval: RecurringInterval, at: Date): boolean =>
  boundary(anchor, interval, boundaryNumber(anchor, interval, at)).getTime() === at.getTime();

/**
 * Returns the period that starts at `at`, the end of the previous period. Keeps the anchor unless the
 * billing interval changes (OFR-13).
 */
export function followingPeriod(
  subscription: SubscriptionRow,
  at: Date,
  cadence: Cadence = planCadence,
): PeriodFields {
  const interval = cadence.interval ?? periodInterval(subscription.billingInterval);
  const present = anchorOf(subscription);
  const anchor = cadence.isTurn || !isOnGrid(present, interval, at) ? at : present;
  const window = windowInterval(subscription.billingInterval);
  const periodEnd = boundary(anchor, interval, boundaryNumber(anchor, interval, at) + 1);
  const windowEnd =
    window === interval ? periodEnd : boundary(anchor, window, boundaryNumber(anchor, window, at) + 1);
  return { anchorDate: anchor, periodStart: at, periodEnd, windowStart: at, windowEnd, termsFrom: at };
}

/**
 * Returns the usage window that starts at `at`, the end of the previous window. During a trial, the window
 * ends no later than the trial (SUB-62).
 */
export function followingWindow(subscription: SubscriptionRow, at: Date): Period {
  const anchor = anchorOf(subscription);
  const interval =
    subscription.status === 'trialing' ? 'monthly' : windowInterval(subscription.billingInterval);
  const end = boundary(anchor, interval, boundaryNumber(anchor, interval, at) + 1);
  const limit = subscription.status === 'trialing' ? subscription.trialEndsAt : null;
  return { start: at, end: limit === null ? end : earlier(limit, end) };
}

/** Schedules the end of the current billing period and usage window, and the renewal notice. */
export function schedulePeriod(draft: Draft, subscription: SubscriptionRow): void {
  if (isRecurring(subscription)) {
    draft.schedule(deadline(subscription, 'period_end', boundOf(subscription, subscription.periodEnd)));
    scheduleUpcoming(draft, subscription);
    scheduleExpiring(draft, subscription);
  }
  scheduleWindow(draft, subscription);
}

/**
 * Schedules the end of the usage window. If the billing period or trial ends at the same time and therefore also ends
 * the window, removes the window's own deadline.
 */
export function scheduleWindow(draft: Draft, subscription: SubscriptionRow): void {
  const end = boundOf(subscription, subscription.windowEnd);
  const endsWithPeriod =
    (isRecurring(subscription) || subscription.status === 'trialing') &&
    end >= boundOf(subscription, subscription.periodEnd);
  if (endsWithPeriod) draft.unschedule(deadlineId('window_reset', subscription.id));
  else draft.schedule(deadline(subscription, 'window_reset', end));
}

function anchorOf(subscription: SubscriptionRow): Date {
  return boundOf(subscription, subscription.anchorDate);
}

type Spanned = Pick<
  SubscriptionRow,
  'id' | 'status' | 'billingInterval' | 'periodStart' | 'periodEnd' | 'windowStart' | 'windowEnd'
>;

/**
 * Returns the usage window of a subscription and the period for billing seats and quota. If there's no billing period,
 * the usage window serves as the period.
 */
export function spansOf(subscription: Spanned): { readonly window: Period; readonly period: Period } {
  const window = {
    start: boundOf(subscription, subscription.windowStart),
    end: boundOf(subscription, subscription.windowEnd),
  };
  if (!isRecurring(subscription) && subscription.status !== 'trialing') return { window, period: window };
  const period = {
    start: boundOf(subscription, subscription.periodStart),
    end: boundOf(subscription, subscription.periodEnd),
  };
  return { window, period };
}
