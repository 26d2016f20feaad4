import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/dashboard/commands/outcome.ts';
import { forecastMonths } from '../../src/dashboard/parts/subscription/forecast.ts';

const invoice = { status: 'paid', total: 6_120, currency: 'usd', creditApplied: 0, payments: [] };
const totals = { currency: 'usd', collected: 0, invoiced: 0, tax: 0, unpaid: 0 };

describe("a preview's summary", () => {
  it('separates card charges from amounts paid with credit', () => {
    const payments = [{ status: 'succeeded', amount: 6_120, currency: 'usd' }];
    expect(
      outcomeOf({
        rejection: null,
        totals: [{ ...totals, collected: 6_120, invoiced: 6_120 }],
        invoices: [{ ...invoice, creditApplied: 500, payments }],
      }),
    ).toEqual({
      charged: [{ amount: 6_120, currency: 'usd' }],
      declined: [],
      unpaid: [],
      fromCredit: [{ amount: 500, currency: 'usd' }],
      isRejected: false,
    });
  });

  it('includes declined charges and unpaid amounts', () => {
    const payments = [
      { status: 'failed', amount: 6_120, currency: 'usd', declineCode: 'insufficient_funds' },
    ];
    expect(
      outcomeOf({
        rejection: { code: 'charge_failed', message: 'The card was declined.' },
        totals: [{ ...totals, invoiced: 6_120, unpaid: 6_120 }],
        invoices: [{ ...invoice, status: 'outstanding', payments }],
      }),
    ).toEqual({
      charged: [],
      declined: [{ amount: 6_120, currency: 'usd', code: 'insufficient_funds' }],
      unpaid: [{ amount: 6_120, currency: 'usd' }],
      fromCredit: [],
      isRejected: true,
    });
  });
});

describe('a subscription forecast', () => {
  it('adds up the invoices of each month by currency', () => {
    const of = (issueDate: string, total: number, currency = 'usd') => ({ issueDate, total, currency });
    const invoices = [
      of('2027-12-15T00:00:00.000Z', 100),
      of('2028-01-01T00:00:00.000Z', 200),
      of('2028-01-31T00:00:00.000Z', 50),
      of('2028-01-31T00:00:00.000Z', 900, 'eur'),
    ];
    expect(forecastMonths(invoices, '2027-12-10T08:00:00.000Z', 2)).toEqual([
      {
        currency: 'eur',
        total: 900,
        months: [
          { month: '2027-12', total: 0, count: 0 },
          { month: '2028-01', total: 900, count: 1 },
          { month: '2028-02', total: 0, count: 0 },
        ],
      },
      {
        currency: 'usd',
        total: 350,
        months: [
          { month: '2027-12', total: 100, count: 1 },
          { month: '2028-01', total: 250, count: 2 },
          { month: '2028-02', total: 0, count: 0 },
        ],
      },
    ]);
    expect(forecastMonths([], '2027-12-10T08:00:00.000Z', 2)).toEqual([]);
  });
});
