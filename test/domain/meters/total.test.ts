import { describe, expect, test } from 'vitest';
import type { MeterDocument } from '../../../src/domain/meters/meter.ts';
import { readMeter } from '../../../src/domain/meters/read-meter.ts';
import { totalOf, type WindowEvent } from '../../../src/domain/meters/total.ts';

const hour = 3_600_000;
const start = new Date('2027-01-01T00:00:00.000Z');
const windowOf = (days: number) => ({ start, end: new Date(start.getTime() + days * 24 * hour) });

const event = (value: number, hours = 0, user = ''): WindowEvent => ({
  value: BigInt(value),
  quantity: null,
  properties: [{ property: 'user', value: user }],
  ts: new Date(start.getTime() + hours * hour),
  seq: BigInt(Math.round(hours * 100)),
});

const meter = (changes: Partial<MeterDocument>): MeterDocument => ({
  aggregation: 'sum',
  decimals: 0,
  ...changes,
});

describe('the total of a window whose total is known at its end', () => {
  test.each([
    [50, 5n],
    [95, 7n],
    [100, 7n],
    [1, 2n],
  ])('is the percentile %d of the quantities (PRM-E5)', (percentile, total) => {
    const events = [3, 7, 5, 2, 7].map((value, index) => event(value, index));
    expect(totalOf(meter({ aggregation: 'percentile', percentile }), events, windowOf(31))).toBe(total);
    expect(totalOf(meter({ aggregation: 'percentile', percentile }), [], windowOf(31))).toBe(0n);
  });

  test('weights levels by the time for which they are held (PRM-E29)', () => {
    const events = [event(10), event(50, 240), event(20, 600)];
    const of = meter({ aggregation: 'time_weighted', decimals: 6 });
    expect(totalOf(of, events, windowOf(30))).toBe(31_666_667n);
    expect(totalOf(of, events.toReversed(), windowOf(30))).toBe(31_666_667n);
  });

  test('is a percentile of hourly unique values, in which hours without events are 0 (PRM-E30)', () => {
    const of = meter({
      aggregation: 'percentile',
      percentile: 99,
      property: 'user',
      bucket: { every: 'hour', aggregation: 'unique' },
    });
    const hosts = (at: number, count: number) =>
      Array.from({ length: count }, (_none, index) => event(1, at, `host ${index}`));
    const usage = (peaks: number) =>
      Array.from({ length: 744 }, (_none, at) => hosts(at, at >= 744 - peaks ? 40 : 22)).flat();
    expect(totalOf(of, usage(7), windowOf(31))).toBe(22n);
    expect(totalOf(of, usage(8), windowOf(31))).toBe(40n);
    expect(totalOf(of, hosts(5, 9), windowOf(31))).toBe(0n);
  });

  test('is the average of daily peaks (PRM-E31)', () => {
    const of = meter({ aggregation: 'average', decimals: 6, bucket: { every: 'day', aggregation: 'max' } });
    const events = Array.from({ length: 30 }, (_none, day) => [
      event(day < 5 ? 1 : 3, day * 24 + 7),
      event(1, day * 24),
    ]).flat();
    expect(totalOf(of, events, windowOf(30))).toBe(2_666_667n);
  });

  test('is the sum or the maximum of hourly totals', () => {
    const events = [event(3, 0.1), event(7, 0.9), event(5, 1), event(2, 30)];
    const hourly = (aggregation: 'sum' | 'max', inner: 'max' | 'sum' | 'latest' | 'count') =>
      totalOf(meter({ aggregation, bucket: { every: 'hour', aggregation: inner } }), events, windowOf(2));
    expect([
      hourly('sum', 'max'),
      hourly('max', 'sum'),
      hourly('sum', 'latest'),
      hourly('max', 'count'),
    ]).toEqual([14n, 10n, 14n, 2n]);
  });

  test('counts events outside the window at its nearest end', () => {
    const of = meter({ aggregation: 'average', bucket: { every: 'day', aggregation: 'sum' } });
    expect(totalOf(of, [event(4, -50), event(2, 100)], windowOf(2))).toBe(3n);
    const level = meter({ aggregation: 'time_weighted' });
    expect(totalOf(level, [event(6, -50), event(10, 12)], windowOf(1))).toBe(8n);
  });
});

describe('a meter whose total is known at the end of a window', () => {
  test('has 6 decimals for averages unless they are set', () => {
    expect(readMeter({ aggregation: 'time_weighted' })).toEqual({
      meter: { aggregation: 'time_weighted', decimals: 6 },
    });
    expect(readMeter({ aggregation: 'percentile', percentile: 99 })).toEqual({
      meter: { aggregation: 'percentile', decimals: 0, percentile: 99 },
    });
  });

  test.each([
    ['a missing percentile', { aggregation: 'percentile' }, ['percentile']],
    ['an average without buckets', { aggregation: 'average' }, ['bucket']],
    ['a percentile of a sum', { aggregation: 'sum', percentile: 5 }, ['percentile']],
    [
      'buckets of unique values',
      { aggregation: 'unique', property: 'a', bucket: { every: 'day', aggregation: 'sum' } },
      ['bucket'],
    ],
    [
      'hourly unique values without a property',
      { aggregation: 'max', bucket: { every: 'hour', aggregation: 'unique' } },
      ['property'],
    ],
  ] as const)('is rejected with %s', (_title, input, fields) => {
    const read = readMeter(input);
    expect('problems' in read ? read.problems.map(({ field }) => field) : []).toEqual(fields);
  });
});
