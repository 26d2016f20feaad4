import { describe, expect, it } from 'vitest';
import { shownEvents } from '../../src/dashboard/pages/home/activity.ts';
import { changeOf, figureOf, spanOf, spansOf, summaryOf } from '../../src/dashboard/pages/home/figures.ts';
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
    });
  });

  it("compares this quarter with the previous quarter up to the same day or the month's last day", () => {
    expect(days('quarter', new Date('2027-05-31T12:00:00.000Z'))).toEqual([
      '2027-04-01',
      '2027-05-31',
      '2027-01-01',
      '2027-02-28',
      'day',
    ]);
    expect(days('quarter', new Date('2027-01-15T00:00:00.000Z'))).toEqual([
      '2027-01-01',
      '2027-01-15',
      '2026-10-01',
      '2026-10-15',
      'day',
    ]);
  });

  it('compares the last 52 weeks with the preceding 52 weeks', () => {
    expect(days('year', new Date('2028-02-29T23:00:00.000Z'))).toEqual([
      '2027-03-03',
      '2028-02-29',
      '2026-03-04',
      '2027-03-02',
      'week',
    ]);
  });

  it('defaults to 30 days and MRR for unknown values in the URL', () => {
    expect(['days7', 'quarter', 'year', 'decade', undefined].map(spanOf)).toEqual([
      'days7',
      'quarter',
      'year',
      'days30',
      'days30',
    ]);
    expect(['churn', 'arr', undefined].map(figureOf)).toEqual(['churn', 'mrr', 'mrr']);
  });

  it('adds up net volume, and measures churn against the MRR at the start of the period', () => {
    const point = (opening: number, closing: number, churn: number, contraction: number) => ({
      ...{ opening, closing, churn, contraction },
      payingCustomers: closing / 100,
    });
    const points = [point(1_000, 900, -100, 0), point(900, 850, 0, -50)];
    expect(summaryOf(points, [{ netCash: 400 }, { netCash: -150 }])).toEqual({
      mrr: 850,
      cash: 250,
      subscribers: 8.5,
      churn: 0.15,
    });
    expect(summaryOf([], [])).toEqual({ mrr: null, cash: 0, subscribers: null, churn: null });
    expect(summaryOf([point(0, 0, 0, 0)], [{ netCash: null }])).toMatchObject({ cash: null, churn: null });
  });

  it('shows a paid invoice once, and no usage or state changes', () => {
    const entry = (id: string, event: string, seconds: number, customerId: string | null = 'cus_1') => ({
      ...{ id, event },
      timestamp: `2027-01-01T00:00:${String(seconds).padStart(2, '0')}.000Z`,
      customer: customerId === null ? null : { id: customerId },
    });
    const shown = shownEvents(
      [
        entry('evt_7', 'payment_received', 31),
        entry('evt_6', 'customer_state_changed', 31),
        entry('evt_5', 'invoice_created', 30),
        entry('evt_7', 'payment_received', 31),
        entry('evt_4', 'invoice_created', 30, 'cus_2'),
        entry('evt_3', 'usage_recorded', 20),
        entry('evt_2', 'invoice_created', 20),
        entry('evt_1', 'payout_paid', 10, null),
      ],
      10,
    );
    expect(shown.map(({ id }) => id)).toEqual(['evt_7', 'evt_4', 'evt_2', 'evt_1']);
  });
});
