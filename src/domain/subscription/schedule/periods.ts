// The billing period and the consumption window of a subscription, and the deadlines that end them.

import type { RecurringInterval } from '../../enums.ts';
import {
  boundary,
  boundaryNumber,
  earlier,
  type Period,
  periodInterval,
  utcMidnight,
  windowInterval,
} from '../../period.ts';
import type { Cadence } from '../pricing/cadence.ts';
import { deadline, deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';
import { scheduleUpcoming } from './notices.ts';

/**
 * Whether the plan base is charged again at the end of the period; free and one-time plans have windows only
 * (GLO-21).
 */
export const isRecurring = (subscription: Pick<SubscriptionRow, 'billingInterval'>): boolean =>
  subscription.billingInterval !== null && subscription.billingInterval !== 'one_time';

/** Billed as the plan is, without a turn. */
export const planCadence: Cadence = { interval: null, isTurn: false };

type PeriodFields = Pick<
  SubscriptionRow,
  'anchorDate' | 'periodStart' | 'periodEnd' | 'windowStart' | 'windowEnd' | 'termsFrom'
>;

/**
 * The period opened at an instant, which moves the anchor to 00:00Z of its date (SUB-60). It is as long as an
 * offer bills it, as the plan does by default (OFR-13).
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
 * The beginning of a window that opens on a day. What is used is counted by the beginning of its window, so
 * that a second window of one day begins a millisecond after the one before.
 */
const freshWindow = (previous: Date | null, day: Date): Date =>
  previous !== null && previous >= day ? new Date(previous.getTime() + 1) : day;

/** Whether an instant is a boundary of the anchor's grid. */
const isOnGrid = (anchor: Date, interval: RecurringInterval, at: Date): boolean =>
  boundary(anchor, interval, boundaryNumber(anchor, interval, at)).getTime() === at.getTime();

/**
 * The period that follows the one ended at `at`; its terms are those of that instant. It is on the same
 * anchor, unless the interval the base is billed in turns there (OFR-13).
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

/** The window that follows the one ended at `at`; it never reaches beyond a trial's end (SUB-62). */
export function followingWindow(subscription: SubscriptionRow, at: Date): Period {
  const anchor = anchorOf(subscription);
  const interval =
    subscription.status === 'trialing' ? 'monthly' : windowInterval(subscription.billingInterval);
  const end = boundary(anchor, interval, boundaryNumber(anchor, interval, at) + 1);
  const limit = subscription.status === 'trialing' ? subscription.trialEndsAt : null;
  return { start: at, end: limit === null ? end : earlier(limit, end) };
}

/** Schedules the ends of the period and window a subscription is in, and the notice before its renewal. */
export function schedulePeriod(draft: Draft, subscription: SubscriptionRow): void {
  if (isRecurring(subscription)) {
    draft.schedule(deadline(subscription, 'period_end', boundOf(subscription, subscription.periodEnd)));
    scheduleUpcoming(draft, subscription);
  }
  scheduleWindow(draft, subscription);
}

/** Schedules the end of the window, unless the period or trial ends with it and takes care of it. */
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
 * The consumption window of a subscription with access, and the span its seats and quota are billed for: the
 * window where it has no other.
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

/** A bound a subscription in a period must have. */
export function boundOf(subscription: Pick<SubscriptionRow, 'id' | 'status'>, bound: Date | null): Date {
  if (bound === null)
    throw new Error(`The subscription ${subscription.id} is ${subscription.status} without a period.`);
  return bound;
}
