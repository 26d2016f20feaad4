import { describe, expect, test } from 'vitest';
import { Conversion, rateLookup } from '../../../src/domain/metrics/conversion.ts';
import { noSums } from '../../../src/domain/metrics/movements.ts';
import {
  firstDayNeeded,
  lifetimeValue,
  mrrPoints,
  type SeriesRow,
} from '../../../src/domain/metrics/mrr-series.ts';

const row = (day: string, kind: SeriesRow['kind'], sums: Partial<SeriesRow>): SeriesRow => ({
  ...noSums,
  day,
  currency: 'usd',
  kind,
  reason: kind === 'level' ? '' : 'activated',
  ...sums,
});

const options = {
  buckets: [{ start: '2027-05-01', end: '2027-05-31' }],
  now: new Date('2027-06-10'),
  conversion: null,
  excludeReasons: [],
};

describe('the MRR series (MET-20)', () => {
  // MRR movements over one month (MET-E8).
  const month: SeriesRow[] = [
    row('', 'level', { amount: 186_000_000n, paying: 240n }),
    row('2027-05-03', 'level', { amount: 11_850_000n, paying: 16n }),
    row('2027-05-03', 'new', { amount: 11_500_000n, customers: 23n }),
    row('2027-05-03', 'reactivation', { amount: 950_000n, customers: 2n }),
    row('2027-05-04', 'expansion', { amount: 6_900_000n, customers: 5n }),
    row('2027-05-04', 'contraction', { amount: -2_100_000n, customers: 3n }),
    row('2027-05-31', 'churn', { amount: -5_400_000n, customers: 9n, reason: 'canceled' }),
  ];

  test("includes a month's rates (MET-E8)", () => {
    const [point] = mrrPoints(month, options);
    expect(point).toMatchObject({
      isClosed: true,
      opening: 186_000_000n,
      closing: 197_850_000n,
      fxImpact: 0n,
      payingCustomers: 256n,
      customerChurnBps: 375n,
      grossChurnBps: 403n,
      netChurnBps: 32n,
      quickRatioBps: 25_800n,
      arpa: 772_852n,
      arr: 2_374_200_000n,
    });
  });

  test('rounds the lifetime value once (MET-E8)', () => {
    expect(lifetimeValue(197_850_000n, 256n, [375n, 410n, 355n])).toBe(20_338_199n);
    expect(lifetimeValue(197_850_000n, 256n, [375n, 410n, undefined])).toBeNull();
    expect(lifetimeValue(197_850_000n, 256n, [0n, 0n, 0n])).toBeNull();
    expect(lifetimeValue(0n, 0n, [1n, 1n, 1n])).toBeNull();
  });

  test('excludes the given reasons from rates, but not from movements', () => {
    const [point] = mrrPoints(month, { ...options, excludeReasons: ['canceled'] });
    expect(point).toMatchObject({ customerChurnBps: 0n, grossChurnBps: 113n });
    expect(point?.movements.map(({ kind }) => kind)).toContain('churn');
  });

  test('returns null rates if the opening amount is 0', () => {
    const [point] = mrrPoints([], options);
    expect(point).toMatchObject({
      opening: 0n,
      closing: 0n,
      arpa: null,
      customerChurnBps: null,
      quickRatioBps: null,
    });
  });

  test('has a lifetime value only after three months of data', () => {
    expect(firstDayNeeded('2027-05-17')).toBe('2027-02-01');
    expect(firstDayNeeded('2027-01-01')).toBe('2026-10-01');
  });
});

describe('an MRR series with conversion (MET-E6, MET-33a)', () => {
  const rates = rateLookup(
    [
      { currency: 'eur', day: '2027-04-30', unitsPerUsd: 92_000_000n, source: 'manual' },
      { currency: 'eur', day: '2027-05-01', unitsPerUsd: 90_000_000n, source: 'manual' },
    ],
    [],
  );
  const rows = [
    row('', 'level', { currency: 'eur', amount: 18_400_000n, paying: 4n }),
    row('2027-05-01', 'level', { currency: 'eur', amount: 600_000n, paying: 1n }),
    row('2027-05-01', 'new', { currency: 'eur', amount: 600_000n, customers: 1n }),
  ];
  const day = { ...options, buckets: [{ start: '2027-05-01', end: '2027-05-01' }] };

  test('excludes exchange rate effects from movements', () => {
    const [point] = mrrPoints(rows, { ...day, conversion: new Conversion('usd', rates, null) });
    expect(point).toMatchObject({ opening: 20_000_000n, closing: 21_111_111n, fxImpact: 444_444n });
    expect(point?.movements).toMatchObject([{ kind: 'new', amount: 666_667n }]);
  });

  test('contains no exchange rate effect at a constant exchange rate', () => {
    const [point] = mrrPoints(rows, { ...day, conversion: new Conversion('usd', rates, '2027-04-30') });
    expect(point).toMatchObject({ opening: 20_000_000n, closing: 20_652_174n, fxImpact: 0n });
    expect(point?.movements).toMatchObject([{ amount: 652_174n }]);
  });

  test('reports missing exchange rates, and has null values (MET-32)', () => {
    const conversion = new Conversion('usd', rateLookup([], []), null);
    const [point] = mrrPoints(rows, { ...day, conversion });
    expect(point).toMatchObject({ opening: null, closing: null, fxImpact: null, arr: null });
    expect(conversion.missing).toEqual([
      { currency: 'eur', day: '2027-04-30' },
      { currency: 'eur', day: '2027-05-01' },
    ]);
  });
});
