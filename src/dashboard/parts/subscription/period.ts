// Calculates the filled share of the bar for a subscription's current period, and the marks of its events.

/** Type of event that the bar of the billing period marks. */
export type MarkKind =
  | 'now'
  | 'trial_end'
  | 'renewal'
  | 'plan_change'
  | 'cancellation'
  | 'payment_attempt'
  | 'grant_end';

type PeriodMark = { readonly kind: MarkKind; readonly at: string; readonly place: number };

export type PeriodBar = {
  readonly start: string;
  readonly end: string;
  /** Elapsed share of the period, from 0 to 1. */
  readonly passed: number;
  readonly marks: readonly PeriodMark[];
};

/** Subscription fields that determine the bar of the billing period. */
export type PeriodSubject = {
  readonly status: string;
  readonly startDate: string;
  readonly endDate?: string | null;
  readonly trialEndsAt?: string | null;
  readonly nextBillingDate?: string | null;
  readonly currentPeriod?: { readonly start: string; readonly end: string } | null;
  readonly cancellation?: { readonly effectiveAt: string } | null;
  readonly scheduledPlanChange?: { readonly scheduledFor: string } | null;
  readonly dunning?: { readonly nextAttemptAt?: string | null } | null;
  readonly planGrant?: { readonly expiresAt?: string | null } | null;
};

const timeOf = (instant: string) => new Date(instant).getTime();

/** Returns the upcoming events of a subscription, earliest first. Omits events without a known time. */
function momentsOf(subject: PeriodSubject, end: string): { kind: MarkKind; at: string }[] {
  const ends = subject.cancellation?.effectiveAt;
  const moments: [MarkKind, string | null | undefined][] = [
    ['trial_end', subject.status === 'trialing' ? subject.trialEndsAt : null],
    ['payment_attempt', subject.dunning?.nextAttemptAt],
    ['grant_end', subject.planGrant?.expiresAt],
    ['plan_change', subject.scheduledPlanChange?.scheduledFor],
    ['cancellation', ends],
    ['renewal', ends || subject.status === 'canceled' || subject.status === 'trialing' ? null : end],
  ];
  return moments
    .flatMap(([kind, at]) => (at ? [{ kind, at }] : []))
    .sort((a, b) => timeOf(a.at) - timeOf(b.at));
}

/**
 * Returns the bar of the current period at a time. `null` if the subscription has no current period, for example while its first payment is pending.
 */
export function periodBar(subject: PeriodSubject, now: string): PeriodBar | null {
  const period = subject.currentPeriod;
  if (!period) return null;
  const moments = momentsOf(subject, period.end);
  // An event up to one period length after the end, such as a payment retry, extends the bar. Later events don't.
  const reach = 2 * timeOf(period.end) - timeOf(period.start);
  const near = moments.filter(({ at }) => timeOf(at) >= timeOf(period.start) && timeOf(at) <= reach);
  const end =
    [period.end, ...near.map(({ at }) => at)].sort((a, b) => timeOf(b) - timeOf(a))[0] ?? period.end;
  const span = Math.max(1, timeOf(end) - timeOf(period.start));
  const placeOf = (at: string) => Math.min(1, Math.max(0, (timeOf(at) - timeOf(period.start)) / span));
  const marks = near.map((mark) => ({ ...mark, place: placeOf(mark.at) }));
  return { start: period.start, end, passed: placeOf(now), marks };
}
