import { describe, expect, it } from 'vitest';
import { type PeriodSubject, periodBar } from '../../src/dashboard/parts/subscription/period.ts';

const running: PeriodSubject = {
  status: 'active',
  startDate: '2027-01-01T00:00:00.000Z',
  currentPeriod: { start: '2027-03-01T00:00:00.000Z', end: '2027-03-11T00:00:00.000Z' },
};

describe('the progress bar for the current period', () => {
  it('shows the elapsed part of the period, and the renewal at the end of the bar', () => {
    expect(periodBar(running, '2027-03-06T00:00:00.000Z')).toEqual({
      start: '2027-03-01T00:00:00.000Z',
      end: '2027-03-11T00:00:00.000Z',
      passed: 0.5,
      marks: [{ kind: 'renewal', at: '2027-03-11T00:00:00.000Z', place: 1 }],
    });
  });

  it('shows a cancellation at the end instead of a renewal', () => {
    const subject = { ...running, cancellation: { effectiveAt: '2027-03-11T00:00:00.000Z' } };
    expect(periodBar(subject, '2027-03-01T00:00:00.000Z')?.marks).toEqual([
      { kind: 'cancellation', at: '2027-03-11T00:00:00.000Z', place: 1 },
    ]);
  });

  it('shows when a grant ends before the renewal, and a change at the renewal', () => {
    const subject = {
      ...running,
      planGrant: { expiresAt: '2027-03-03T12:00:00.000Z' },
      scheduledPlanChange: { scheduledFor: '2027-03-11T00:00:00.000Z' },
    };
    expect(periodBar(subject, '2027-03-01T00:00:00.000Z')?.marks).toEqual([
      { kind: 'grant_end', at: '2027-03-03T12:00:00.000Z', place: 0.25 },
      { kind: 'plan_change', at: '2027-03-11T00:00:00.000Z', place: 1 },
      { kind: 'renewal', at: '2027-03-11T00:00:00.000Z', place: 1 },
    ]);
  });

  it('extends to a payment retry shortly after the period, and omits later events', () => {
    const late = {
      ...running,
      status: 'past_due',
      dunning: { nextAttemptAt: '2027-03-13T12:00:00.000Z' },
      planGrant: { expiresAt: '2030-01-01T00:00:00.000Z' },
    };
    expect(periodBar(late, '2027-03-11T00:00:00.000Z')).toEqual({
      start: '2027-03-01T00:00:00.000Z',
      end: '2027-03-13T12:00:00.000Z',
      passed: 0.8,
      marks: [
        { kind: 'renewal', at: '2027-03-11T00:00:00.000Z', place: 0.8 },
        { kind: 'payment_attempt', at: '2027-03-13T12:00:00.000Z', place: 1 },
      ],
    });
  });

  it('returns null for a subscription without a current period', () => {
    expect(periodBar({ ...running, currentPeriod: null }, '2027-03-01T00:00:00.000Z')).toBeNull();
  });
});
