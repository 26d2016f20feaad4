import { describe, expect, it } from 'vitest';
import type { MrrFiguresFragment } from '../../src/dashboard/pages/metrics/mrr.graphql';
import {
  cohortShares,
  lastMonthOf,
  movedIn,
  ratedPoint,
  reasonsOf,
  stepsOf,
} from '../../src/dashboard/pages/metrics/mrr.ts';
import { lastMonthOver } from '../../src/dashboard/pages/metrics/spans.ts';
import { minorOf } from '../../src/dashboard/parts/metrics/rates.ts';

type Point = MrrFiguresFragment['points'][number];
type Movement = Point['movements'][number];

const labels = {
  opening: 'Before',
  closing: 'After',
  fxImpact: 'Rates',
  new: 'New',
  reactivation: 'Reactivation',
  expansion: 'Expansion',
  contraction: 'Contraction',
  churn: 'Churn',
};

const moved = (
  kind: Movement['kind'],
  reason: Movement['reason'],
  amount: number | null,
  customers = 1,
): Movement => ({ kind, reason, amount, customers });

const point = (start: string, values: Partial<Point>): Point => ({
  start,
  isClosed: true,
  opening: 0,
  closing: 0,
  atRisk: 0,
  arr: 0,
  arpa: null,
  payingCustomers: 0,
  customerChurnBps: null,
  grossChurnBps: null,
  netChurnBps: null,
  quickRatioBps: null,
  fxImpact: 0,
  movements: [],
  ...values,
});

const october = point('2026-10-01', {
  closing: 780_000,
  movements: [moved('new', 'activated', 490_000), moved('new', 'trial_converted', 290_000, 2)],
});
const november = point('2026-11-01', {
  isClosed: false,
  opening: 780_000,
  closing: 690_000,
  movements: [moved('new', 'activated', 400_000), moved('churn', 'canceled', -490_000)],
});

describe('the recurring revenue calculation in the dashboard', () => {
  it('converts amounts to minor units, and rounds losses like gains', () => {
    expect([minorOf(333_333, 'usd'), minorOf(-333_350, 'usd'), minorOf(15_000, 'jpy')]).toEqual([
      3_333, -3_334, 2,
    ]);
    expect(Object.is(minorOf(-1, 'usd'), 0)).toBe(true);
  });

  it('builds a waterfall from movements and exchange rate effects', () => {
    const steps = stepsOf([october, november], labels);
    expect(steps?.map(({ label, value }) => [label, value])).toEqual([
      ['Before', 0],
      ['New', 1_180_000],
      ['Churn', -490_000],
      ['After', 690_000],
    ]);
    const converted = { ...november, closing: 691_000, fxImpact: 1_000 };
    expect(stepsOf([october, converted], labels)?.slice(-2)).toEqual([
      { id: 'fxImpact', label: 'Rates', value: 1_000 },
      { id: 'closing', label: 'After', value: 691_000, isTotal: true },
    ]);
  });

  it('returns null if an exchange rate is missing', () => {
    const unknown = { ...november, movements: [moved('churn', 'canceled', null)] };
    expect([movedIn(unknown, 'churn'), movedIn(unknown, 'new')]).toEqual([null, 0]);
    expect(stepsOf([october, unknown], labels)).toBeNull();
    expect(stepsOf([october, { ...november, fxImpact: null }], labels)).toBeNull();
  });

  it('lists movements by type and reason, largest amount first', () => {
    expect(reasonsOf([october, november])).toEqual([
      { id: 'new activated', kind: 'new', reason: 'activated', amount: 890_000, customers: 2 },
      { id: 'new trial_converted', kind: 'new', reason: 'trial_converted', amount: 290_000, customers: 2 },
      { id: 'churn canceled', kind: 'churn', reason: 'canceled', amount: -490_000, customers: 1 },
    ]);
  });

  it('returns the rates for the last completed interval', () => {
    expect(ratedPoint([october, november])?.start).toBe('2026-10-01');
    expect(ratedPoint([november])?.start).toBe('2026-11-01');
    expect(ratedPoint([])).toBeUndefined();
  });

  it('counts missing cohort months as 0, and excludes future months', () => {
    const cells = [
      { month: '2025-12-01', customers: 4, mrr: 400 },
      { month: '2026-01-01', customers: 2, mrr: 600 },
    ];
    const cohort = { month: '2025-12-01', currency: 'usd' as const, cells };
    const later = { ...cohort, month: '2026-02-01', cells: [{ month: '2026-02-01', customers: 1, mrr: 9 }] };
    expect(lastMonthOf([later, cohort])).toBe('2026-02-01');
    expect(cohortShares(cohort, 'customers', '2026-02-01')).toEqual({ size: 4, shares: [1, 0.5, 0] });
    expect(cohortShares(cohort, 'mrr', '2026-01-01')).toEqual({ size: 400, shares: [1, 1.5] });
  });

  it('compares values at the end of the last completed month', () => {
    const now = new Date('2026-11-23T10:00:00Z');
    expect(lastMonthOver('2026-11-23', now)).toBe('2026-10-01');
    expect(lastMonthOver('2026-10-31', now)).toBe('2026-10-01');
    expect(lastMonthOver('2026-10-30', now)).toBe('2026-09-01');
    expect(lastMonthOver('2027-05-01', now)).toBe('2026-10-01');
    expect(lastMonthOver('2026-01-15', now)).toBe('2025-12-01');
  });
});
