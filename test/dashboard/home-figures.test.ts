import { describe, expect, it } from 'vitest';
import { changeOf, spansOf } from '../../src/dashboard/pages/home/figures.ts';
import { invoiceTotals, paymentTotals } from '../../src/dashboard/parts/billing/totals.ts';

describe('figures of the home page', () => {
  it('count what was collected, also where it was returned or disputed later, and what was declined', () => {
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

  it('count what was billed and is open, and nothing of drafts and void invoices', () => {
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

  it('compare with the span before, if there was anything', () => {
    expect(changeOf(150, 100)).toBe(0.5);
    expect(changeOf(50, 100)).toBe(-0.5);
    expect(changeOf(50, 0)).toBeNull();
  });

  it('look at the last 30 days and the 30 before', () => {
    expect(spansOf(new Date('2027-03-31T12:00:00.000Z'))).toEqual({
      now: { from: '2027-03-01T12:00:00.000Z', to: '2027-03-31T12:00:00.000Z' },
      before: { from: '2027-01-30T12:00:00.000Z', to: '2027-03-01T12:00:00.000Z' },
    });
  });
});
