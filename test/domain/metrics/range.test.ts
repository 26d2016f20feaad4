import { describe, expect, test } from 'vitest';
import {
  bucketsOf,
  isClosedDay,
  type MetricInterval,
  metricIntervals,
} from '../../../src/domain/metrics/range.ts';

const spans = (from: string, to: string, interval: MetricInterval): string[] =>
  bucketsOf({ from, to }, interval).map(({ start, end }) => `${start} ${end}`);

describe('a date range of a series', () => {
  test.each<[MetricInterval, string, string, string[]]>([
    [
      'day',
      '2024-02-28',
      '2024-03-01',
      ['2024-02-28 2024-02-28', '2024-02-29 2024-02-29', '2024-03-01 2024-03-01'],
    ],
    ['day', '2024-02-28', '2024-02-28', ['2024-02-28 2024-02-28']],
    // March 1, 2027 is a Monday, and March 7 is a Sunday.
    ['week', '2027-03-01', '2027-03-14', ['2027-03-01 2027-03-07', '2027-03-08 2027-03-14']],
    ['week', '2027-03-07', '2027-03-09', ['2027-03-07 2027-03-07', '2027-03-08 2027-03-09']],
    [
      'month',
      '2027-01-31',
      '2027-03-01',
      ['2027-01-31 2027-01-31', '2027-02-01 2027-02-28', '2027-03-01 2027-03-01'],
    ],
    [
      'quarter',
      '2026-11-15',
      '2027-04-01',
      ['2026-11-15 2026-12-31', '2027-01-01 2027-03-31', '2027-04-01 2027-04-01'],
    ],
    [
      'year',
      '2026-12-31',
      '2028-01-01',
      ['2026-12-31 2026-12-31', '2027-01-01 2027-12-31', '2028-01-01 2028-01-01'],
    ],
    ['year', '0001-05-01', '0002-02-01', ['0001-05-01 0001-12-31', '0002-01-01 0002-02-01']],
    ['month', '9999-12-01', '9999-12-31', ['9999-12-01 9999-12-31']],
  ])('is divided into buckets by %s from %s to %s', (interval, from, to, expected) => {
    expect(spans(from, to, interval)).toEqual(expected);
  });

  test('contains each day in exactly one bucket', () => {
    for (const interval of metricIntervals) {
      const buckets = bucketsOf({ from: '2023-11-17', to: '2025-02-03' }, interval);
      expect(buckets[0]?.start).toBe('2023-11-17');
      expect(buckets.at(-1)?.end).toBe('2025-02-03');
      for (const [index, { start }] of buckets.entries())
        if (index > 0) expect(Date.parse(start) - Date.parse(buckets[index - 1]?.end ?? '')).toBe(86_400_000);
    }
  });

  test('has a maximum number of buckets (MET-80)', () => {
    const cases: [MetricInterval, string, string, number][] = [
      ['day', '2020-01-01', '2023-01-04', 1_100],
      ['week', '2020-01-06', '2029-12-23', 520],
      ['month', '2020-01-01', '2029-12-31', 120],
      ['quarter', '2020-01-01', '2029-12-31', 40],
      ['year', '2020-01-01', '2029-12-31', 10],
    ];
    for (const [interval, from, last, most] of cases) {
      expect(bucketsOf({ from, to: last }, interval)).toHaveLength(most);
      const next = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10);
      expect(() => bucketsOf({ from, to: next }, interval)).toThrow(
        expect.objectContaining({ code: 'validation_error', param: 'interval' }),
      );
    }
    expect(() => bucketsOf({ from: '2024-01-01', to: '2026-12-31' }, 'day')).not.toThrow();
    // The buckets in the range are counted without being created.
    expect(() => bucketsOf({ from: '0001-01-01', to: '9999-12-31' }, 'day')).toThrow(
      'The range exceeds the maximum number of points at the interval day (requested: 3652059, maximum: 1100). Choose a shorter range or a longer interval.',
    );
  });

  test('is rejected if the start date is after the end date', () => {
    expect(() => bucketsOf({ from: '2026-01-02', to: '2026-01-01' }, 'year')).toThrow(
      expect.objectContaining({ code: 'validation_error', param: 'from' }),
    );
  });
});

test('a day is closed at the following midnight (MET-61)', () => {
  expect(isClosedDay('2026-05-31', new Date('2026-05-31T23:59:59.999Z'))).toBe(false);
  expect(isClosedDay('2026-05-31', new Date('2026-06-01T00:00:00.000Z'))).toBe(true);
});
