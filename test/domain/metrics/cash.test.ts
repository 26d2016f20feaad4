import { describe, expect, test } from 'vitest';
import {
  cashFigureNames,
  cashFigures,
  convertedSeries,
  figureOf,
  pointFigure,
  seriesByCurrency,
} from '../../../src/domain/metrics/cash.ts';
import { Conversion, rateLookup } from '../../../src/domain/metrics/conversion.ts';
import { largestGroups } from '../../../src/domain/metrics/groups.ts';
import { ageingOf, ageingSpanOf, daysSalesOutstanding } from '../../../src/domain/metrics/receivables.ts';

describe('a cash metric (MET-50)', () => {
  test('adds up the amounts of ledger facts, each with a sign', () => {
    const sums = new Map([
      ['payment.settled', 10_000n],
      ['payment.refunded', 2_000n],
      ['payment.tax_refunded', 380n],
      ['dispute.lost', 1_500n],
      ['payment.fee_kept', 300n],
      ['invoice.settled_outside', 70n],
      ['invoice.uncollectible', 40n],
      ['invoice.below_minimum', 3n],
      ['invoice.taxed', 99n],
    ]);
    expect(cashFigureNames.map((name) => [name, figureOf(cashFigures[name], sums)])).toEqual([
      ['collected', 10_000n],
      ['refunded', 2_380n],
      ['disputesLost', 1_500n],
      ['netCash', 6_120n],
      ['fees', 300n],
      ['settledOutside', 70n],
      ['writtenOff', 43n],
    ]);
  });

  const buckets = [
    { start: '2027-04-30', end: '2027-04-30' },
    { start: '2027-05-01', end: '2027-05-02' },
  ];
  const amount = (span: number, currency: string, key: string, value: bigint) => ({
    span,
    currency,
    key,
    amount: value,
  });

  test('contains one series per currency, with a point for each bucket', () => {
    const series = seriesByCurrency(buckets, [
      amount(1, 'usd', 'payment.settled', 5n),
      amount(1, 'usd', 'payment.refunded', 2n),
      amount(0, 'eur', 'payment.settled', 7n),
    ]);
    expect(
      series.map(({ currency, points }) => [
        currency,
        points.map((point) => pointFigure(cashFigures.netCash, point)),
      ]),
    ).toEqual([
      ['eur', [7n, 0n]],
      ['usd', [0n, 3n]],
    ]);
  });

  test("is converted at each day's exchange rate, and is null if an exchange rate is missing", () => {
    const rates = rateLookup(
      [{ currency: 'eur', day: '2027-04-30', unitsPerUsd: 92_000_000n, source: 'manual' }],
      [{ currency: 'jpy', unitsPerUsd: 10_000_000_000n, from: new Date('2027-05-02Z'), to: null }],
    );
    const days = ['2027-04-30', '2027-05-01', '2027-05-02'];
    const conversion = new Conversion('usd', rates, null);
    const { points } = convertedSeries(
      buckets,
      days,
      [
        amount(0, 'eur', 'payment.settled', 92n),
        amount(1, 'eur', 'payment.settled', 1n),
        amount(2, 'eur', 'payment.settled', 1n),
        amount(2, 'jpy', 'payment.settled', 50n),
        amount(1, 'jpy', 'payment.refunded', 50n),
      ],
      conversion,
    );
    const valuesOf = (figure: keyof typeof cashFigures) =>
      points.map((point) => pointFigure(cashFigures[figure], point));
    // 1 ÷ 0.92 = 1.09, which rounds to 1 on each day. 50 JPY at an exchange rate of 100 is 0.50.
    expect(valuesOf('collected')).toEqual([100n, 52n]);
    expect(valuesOf('refunded')).toEqual([0n, null]);
    expect(valuesOf('netCash')).toEqual([100n, null]);
    expect(conversion.missing).toEqual([{ currency: 'jpy', day: '2027-05-01' }]);
  });
});

describe('the receivables report (MET-51)', () => {
  test('groups invoices by the number of whole days since the due date (MET-E11)', () => {
    const open = [
      { dueDay: '2027-05-31', amount: 12_000n },
      { dueDay: '2027-05-12', amount: 8_000n },
      { dueDay: '2027-03-28', amount: 4_550n },
      { dueDay: '2027-01-01', amount: 30_000n },
    ];
    const ageing = ageingOf(open, '2027-05-31');
    expect(ageing).toEqual({ notDue: 12_000n, d1To30: 8_000n, d31To60: 0n, d61To90: 4_550n, d91: 30_000n });
    expect(Object.values(ageing).reduce((sum, one) => sum + one, 0n)).toBe(54_550n);
  });

  test.each([
    ['2027-06-01', 'notDue'],
    ['2027-05-31', 'notDue'],
    ['2027-05-30', 'd1To30'],
    ['2027-05-01', 'd1To30'],
    ['2027-04-30', 'd31To60'],
    ['2027-04-01', 'd31To60'],
    ['2027-03-31', 'd61To90'],
    ['2027-03-02', 'd61To90'],
    ['2027-03-01', 'd91'],
  ])('includes an invoice due on %s in the group %s at the end of May 31', (dueDay, span) => {
    expect(ageingSpanOf(dueDay, '2027-05-31')).toBe(span);
  });

  test('expresses the total as days sales outstanding, based on the amounts billed in the last 90 days', () => {
    expect(daysSalesOutstanding(54_550n, 163_650n)).toBe(30n);
    expect(daysSalesOutstanding(1n, 60n)).toBe(2n);
    expect(daysSalesOutstanding(1n, 0n)).toBeNull();
  });
});

test('the largest groups have the largest absolute amounts (MET-80)', () => {
  const amounts = [
    { key: 'b', amount: 5n },
    { key: 'c', amount: -9n },
    { key: 'a', amount: 5n },
    { key: 'd', amount: 1n },
    { key: 'd', amount: 1n },
  ];
  expect([...largestGroups(amounts, 2)]).toEqual(['c', 'a']);
});
