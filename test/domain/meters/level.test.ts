import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeLevel, levelKinds } from '../../../src/domain/meters/level.ts';
import type { MeterDocument } from '../../../src/domain/meters/meter.ts';
import { totalOf } from '../../../src/domain/meters/total.ts';
import { trials } from '../../support/laws.ts';

const hourMs = 3_600_000;
const hours = (count: number): Date => new Date(count * hourMs);
const window = { start: hours(0), end: hours(720) };

const event = (hour: number, levelChange: bigint, seq = BigInt(hour + 1)) => ({
  value: 1n,
  quantity: null,
  properties: [],
  ts: hours(hour),
  seq,
  levelChange,
});

const level = (meter: Partial<MeterDocument>): MeterDocument => ({
  aggregation: 'time_weighted',
  decimals: 0,
  persists: true,
  ...meter,
});

describe('a change of a level', () => {
  test('adds, removes, or sets the level', () => {
    expect(changeLevel('add', 5n, 3n)).toEqual({ kind: 'add', change: 3n, after: 8n });
    expect(changeLevel('remove', 5n, 5n)).toEqual({ kind: 'remove', change: -5n, after: 0n });
    expect(changeLevel('set', 5n, 2n)).toEqual({ kind: 'set', change: -3n, after: 2n });
  });

  test('is rejected below 0', () => {
    expect(changeLevel('remove', 5n, 6n)).toMatchObject({
      code: 'validation_error',
      details: { reason: 'bad_quantity' },
    });
  });
});

describe('the total of a level (PRM-14)', () => {
  test('is the time-weighted average with the level at the start of the window (PRM-E29)', () => {
    const events = [event(240, 40n), event(600, -30n)];
    expect(totalOf(level({ decimals: 6 }), events, window, 10n)).toBe(32n);
    const millions = events.map((one) => ({ ...one, levelChange: one.levelChange * 1_000_000n }));
    expect(totalOf(level({ decimals: 6 }), millions, window, 10_000_000n)).toBe(31_666_667n);
    expect(totalOf(level({}), [], window, 7n)).toBe(7n);
  });

  test('is the highest level, which can be the level at the start of the window', () => {
    const max = level({ aggregation: 'max' });
    expect(totalOf(max, [event(10, -4n), event(20, 3n)], window, 9n)).toBe(9n);
    expect(totalOf(max, [event(10, -4n), event(20, 6n)], window, 9n)).toBe(11n);
    expect(totalOf(max, [], window, 0n)).toBe(0n);
  });

  test('holds the last level in buckets without events (PRM-121)', () => {
    const daily = (aggregation: MeterDocument['aggregation'], of: 'max' | 'latest', percentile?: number) =>
      level({
        aggregation,
        bucket: { every: 'day', aggregation: of },
        ...(percentile === undefined ? {} : { percentile }),
      });
    // The level is 10 on the first day, 40 at the end of the second day, and 25 from the third day.
    const events = [event(30, 50n), event(40, -20n), event(48, -15n)];
    expect(totalOf(daily('sum', 'max'), events, window, 10n)).toBe(10n + 60n + 40n + 27n * 25n);
    expect(totalOf(daily('sum', 'latest'), events, window, 10n)).toBe(10n + 40n + 28n * 25n);
    expect(totalOf(daily('max', 'max'), events, window, 10n)).toBe(60n);
    expect(totalOf(daily('average', 'latest'), events, window, 10n)).toBe(25n);
    expect(totalOf(daily('percentile', 'latest', 1), events, window, 10n)).toBe(10n);
  });

  test('never falls below 0 if an earlier event is recorded later', () => {
    expect(totalOf(level({}), [event(0, -5n, 2n), event(360, 5n, 1n)], window, 0n)).toBe(0n);
  });
});

const changes = fc.array(
  fc.record({
    hour: fc.integer({ min: 0, max: 719 }),
    kind: fc.constantFrom(...levelKinds),
    units: fc.bigInt({ min: 0n, max: 100n }),
  }),
  { maxLength: 20 },
);

/** Returns the events of changes in order of time, without the changes that are rejected. */
function accepted(given: readonly { hour: number; kind: (typeof levelKinds)[number]; units: bigint }[]) {
  let current = 0n;
  return given
    .toSorted((a, b) => a.hour - b.hour)
    .flatMap(({ hour, kind, units }, index) => {
      const changed = changeLevel(kind, current, units);
      if ('code' in changed) return [];
      current = changed.after;
      return [event(hour, changed.change, BigInt(index))];
    });
}

test('a window with a level costs the same if it is split at any hour', () => {
  fc.assert(
    fc.property(changes, fc.integer({ min: 1, max: 719 }), (given, split) => {
      const events = accepted(given);
      const at = hours(split);
      const before = events.filter(({ ts }) => ts < at);
      const opening = before.reduce((sum, { levelChange }) => sum + levelChange, 0n);
      const parts = [
        totalOf(level({ aggregation: 'sum', bucket: { every: 'hour', aggregation: 'latest' } }), before, {
          start: window.start,
          end: at,
        }),
        totalOf(
          level({ aggregation: 'sum', bucket: { every: 'hour', aggregation: 'latest' } }),
          events.filter(({ ts }) => ts >= at),
          { start: at, end: window.end },
          opening,
        ),
      ];
      const whole = totalOf(
        level({ aggregation: 'sum', bucket: { every: 'hour', aggregation: 'latest' } }),
        events,
        window,
      );
      expect((parts[0] ?? 0n) + (parts[1] ?? 0n)).toBe(whole);
      const highest = totalOf(level({ aggregation: 'max' }), events, window);
      const average = totalOf(level({}), events, window);
      expect(average <= highest).toBe(true);
    }),
    trials(300),
  );
});
