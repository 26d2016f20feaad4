import { describe, expect, it } from 'vitest';
import { changeOf, lostIn, spanOf, spansOf } from '../../src/dashboard/pages/home/figures.ts';
import { invoiceTotals, paymentTotals } from '../../src/dashboard/parts/billing/totals.ts';

describe('the home page', () => {
  it('shows collected payments, including those refunded or disputed later, and declined payments', () => {
    const total = (status: string, count: number, amount: number, refunded = 0, currency = 'usd') => ({
      currency,
      status,
      count,
      amount,
      refunded,
    });
    expect(
      paymentTotals([
        total('succeeded', 3, 8_700, 100),
        total('refunded', 1, 2_900, 2_900),
        total('failed', 2, 5_800),
        total('disputed', 1, 900),
        total('succeeded', 1, 500, 0, 'eur'),
      ]),
    ).toEqual([
      { currency: 'usd', count: 7, collected: 12_500, refunded: 3_000, payments: 5, declined: 2 },
      { currency: 'eur', count: 1, collected: 500, refunded: 0, payments: 1, declined: 0 },
    ]);
  });

  it('shows billed and outstanding amounts, excluding drafts and void invoices', () => {
    const total = (status: string, count: number, total: number, outstanding: number, currency = 'usd') => ({
      currency,
      status,
      count,
      total,
      outstanding,
    });
    expect(
      invoiceTotals([
        total('paid', 1, 2_900, 0, 'eur'),
        total('paid', 2, 5_800, 0),
        total('outstanding', 1, 2_900, 1_900),
        total('void', 1, 2_900, 0),
        total('draft', 1, 900, 0),
      ]),
    ).toEqual([
      { currency: 'usd', count: 5, total: 8_700, outstanding: 1_900 },
      { currency: 'eur', count: 1, total: 2_900, outstanding: 0 },
    ]);
  });

  it("compares with the previous period if both values are known and the previous value isn't 0", () => {
    expect(changeOf(150, 100)).toBe(0.5);
    expect(changeOf(50, 100)).toBe(-0.5);
    expect(changeOf(50, 0)).toBeNull();
    expect(changeOf(null, 100)).toBeNull();
    expect(changeOf(50, null)).toBeNull();
  });

  const days = (...[span, now]: Parameters<typeof spansOf>) => {
    const { from, to, beforeFrom, beforeTo, interval } = spansOf(span, now);
    return [from, to, beforeFrom, beforeTo, interval];
  };

  it('compares the last 30 days with the preceding 30 days', () => {
    expect(spansOf('days30', new Date('2027-03-31T12:00:00.000Z'))).toEqual({
      from: '2027-03-02',
      to: '2027-03-31',
      beforeFrom: '2027-01-31',
      beforeTo: '2027-03-01',
      interval: 'day',
      now: { from: '2027-03-02T00:00:00.000Z', to: '2027-03-31T23:59:59.999Z' },
      before: { from: '2027-01-31T00:00:00.000Z', to: '2027-03-01T23:59:59.999Z' },
    });
  });

  it("compares this month with the previous month up to the same day or the previous month's last day", () => {
    expect(days('month', new Date('2027-03-31T12:00:00.000Z'))).toEqual([
      '2027-03-01',
      '2027-03-31',
      '2027-02-01',
      '2027-02-28',
      'day',
    ]);
    expect(days('month', new Date('2027-01-15T00:00:00.000Z'))).toEqual([
      '2027-01-01',
      '2027-01-15',
      '2026-12-01',
      '2026-12-15',
      'day',
    ]);
  });

  it('compares the last 12 months, including this month, with the same months a year earlier', () => {
    expect(days('year', new Date('2028-02-29T23:00:00.000Z'))).toEqual([
      '2027-03-01',
      '2028-02-29',
      '2026-03-01',
      '2027-02-28',
      'month',
    ]);
  });

  it('defaults to 30 days for an unknown period', () => {
    expect(['days30', 'month', 'year', 'decade', undefined].map(spanOf)).toEqual([
      'days30',
      'month',
      'year',
      'days30',
      'days30',
    ]);
  });

  it('counts churned customers', () => {
    const point = (churn: number) => ({
      payingCustomers: 9,
      movements: [
        { kind: 'new', customers: 4 },
        { kind: 'churn', customers: churn },
      ],
    });
    expect(lostIn([point(2), point(1), { payingCustomers: 3, movements: [] }])).toBe(3);
    expect(lostIn([])).toBe(0);
  });
});
