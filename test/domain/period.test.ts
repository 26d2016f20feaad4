import { describe, expect, test } from 'vitest';
import type { RecurringInterval } from '../../src/domain/rows/enums.ts';
import {
  boundary,
  boundaryNumber,
  daysRemaining,
  isoDate,
  nextMidnight,
  periodInterval,
  totalDays,
  utcMidnight,
  windowInterval,
} from '../../src/domain/time/period.ts';

const day = (date: string): Date => new Date(`${date}T00:00:00Z`);
const boundaries = (anchor: string, interval: RecurringInterval, count: number): string[] =>
  Array.from({ length: count }, (_, n) => isoDate(boundary(day(anchor), interval, n)));

describe('a period boundary, clamped to the end of the month (GLO-18)', () => {
  test.each<[string, string, RecurringInterval, string[]]>([
    [
      'GLO-E4',
      '2027-01-30',
      'monthly',
      ['2027-01-30', '2027-02-28', '2027-03-30', '2027-04-30', '2027-05-30', '2027-06-30'],
    ],
    ['GLO-E4 in a leap year', '2028-01-30', 'monthly', ['2028-01-30', '2028-02-29', '2028-03-30']],
    [
      'GLO-E5',
      '2027-11-30',
      'quarterly',
      ['2027-11-30', '2028-02-29', '2028-05-30', '2028-08-30', '2028-11-30'],
    ],
    ['GLO-E6', '2027-01-06', 'weekly', ['2027-01-06', '2027-01-13', '2027-01-20', '2027-01-27']],
    [
      'SUB-E6',
      '2027-08-31',
      'monthly',
      ['2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29'],
    ],
    [
      'a leap day',
      '2028-02-29',
      'yearly',
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ],
  ])('follows the anchor in the case %s', (_title, anchor, interval, expected) => {
    expect(boundaries(anchor, interval, expected.length)).toEqual(expected);
  });
});

describe('a period, which includes its start and excludes its end (GLO-22)', () => {
  const cases: [RecurringInterval, string, string, string, string][] = [
    ['monthly', '2027-01-31', '2027-02-28T00:00:00.000Z', '2027-02-28', '2027-03-31'],
    ['monthly', '2027-01-31', '2027-02-27T23:59:59.999Z', '2027-01-31', '2027-02-28'],
    ['monthly', '2027-01-31', '2027-03-30T12:00:00.000Z', '2027-02-28', '2027-03-31'],
    ['quarterly', '2027-11-30', '2028-03-01T00:00:00.000Z', '2028-02-29', '2028-05-30'],
    ['yearly', '2027-06-15', '2028-06-14T23:59:59.999Z', '2027-06-15', '2028-06-15'],
    ['weekly', '2027-01-06', '2027-01-13T00:00:00.000Z', '2027-01-13', '2027-01-20'],
  ];
  test.each(cases)(
    'is determined by interval %s, anchor %s, and time %s',
    (interval, anchor, at, start, end) => {
      const n = boundaryNumber(day(anchor), interval, new Date(at));
      expect([n, n + 1].map((number) => boundary(day(anchor), interval, number))).toEqual([
        day(start),
        day(end),
      ]);
    },
  );
});

test('a boundary date is converted back to its boundary number', () => {
  for (const interval of ['weekly', 'monthly', 'quarterly', 'yearly'] as const) {
    for (let n = -3; n < 30; n++)
      expect(boundaryNumber(day('2027-08-31'), interval, boundary(day('2027-08-31'), interval, n))).toBe(n);
  }
});

test('17 of 31 days remain on July 22, regardless of the time of day (GLO-E7)', () => {
  const period = { start: day('2027-07-08'), end: day('2027-08-08') };
  expect(totalDays(period)).toBe(31);
  expect(daysRemaining(period, new Date('2027-07-22T19:45:00Z'))).toBe(17);
  expect(daysRemaining(period, new Date('2027-07-22T00:00:00Z'))).toBe(17);
  expect(daysRemaining(period, new Date('2027-09-01T00:00:00Z'))).toBe(0);
});

test('midnight is calculated in UTC', () => {
  expect(utcMidnight(new Date('2027-06-03T18:45:00Z'))).toEqual(day('2027-06-03'));
  expect(nextMidnight(new Date('2027-06-03T18:45:00Z'))).toEqual(day('2027-06-04'));
  expect(nextMidnight(day('2027-06-03'))).toEqual(day('2027-06-04'));
  expect(utcMidnight(new Date('1969-12-31T23:00:00Z'))).toEqual(day('1969-12-31'));
});

test('usage windows are weeks on weekly plans and months otherwise, and periods on free and one-time plans are months', () => {
  expect(
    [null, 'weekly', 'monthly', 'quarterly', 'yearly', 'one_time'].map((interval) =>
      windowInterval(interval as RecurringInterval | null),
    ),
  ).toEqual(['monthly', 'weekly', 'monthly', 'monthly', 'monthly', 'monthly']);
  expect(periodInterval(null)).toBe('monthly');
  expect(periodInterval('one_time')).toBe('monthly');
  expect(periodInterval('yearly')).toBe('yearly');
});
