import { describe, expect, test } from 'vitest';
import type { Rejection } from '../../../src/domain/errors/errors.ts';
import type { FeatureCountRow } from '../../../src/domain/rows/usage-rows.ts';
import {
  addSeats,
  futureCount,
  highWaterMark,
  openPeriod,
  removeSeats,
  setQuota,
  trueUps,
  wantSeats,
} from '../../../src/domain/usage/counts.ts';
import { reachesIncluded } from '../../../src/domain/usage/system-limits.ts';
import { unitRates } from '../../support/rates.ts';
import { count, poolTerms, terms } from './facts.ts';

const on = (date: string): Date => new Date(`${date}T13:45:00Z`);
const midnight = (date: string): Date => new Date(`${date}T00:00:00Z`);
const ok = (result: FeatureCountRow | Rejection): FeatureCountRow => {
  if ('code' in result) throw new Error(result.message);
  return result;
};

describe('a seat count', () => {
  const held = terms({ includedAmount: 4n, rates: unitRates(115_000n) });
  const period = { start: midnight('2027-04-05'), end: midnight('2027-05-05') };

  test('increases immediately with a prorated charge, and decreases at the period end (CON-38, CON-E5)', () => {
    const raised = ok(addSeats(held, count(6n), 3n, on('2027-04-17')));
    expect([raised.count, highWaterMark(raised)]).toEqual([9n, 9n]);
    const leaving = ok(removeSeats(raised, 2n, on('2027-04-20')));
    expect([leaving.count, futureCount(leaving)]).toEqual([9n, 7n]);
    const kept = ok(addSeats(held, leaving, 1n, on('2027-04-24')));
    expect([kept.count, kept.pendingRemovals, kept.steps]).toEqual([9n, 1n, raised.steps]);
    expect(trueUps(held, kept, period)).toMatchObject([
      { on: '2027-04-17', units: 3n, days: 18n, amountMinor: 2_070n },
    ]);
    expect(openPeriod(kept, period.end)).toMatchObject({
      count: 8n,
      pendingRemovals: 0n,
      openingCount: 8n,
      steps: [],
    });
  });

  test('can be set to a number, which cancels or schedules removals', () => {
    const fewer = ok(wantSeats(held, count(6n), 2n, on('2027-04-06')));
    expect([fewer.count, fewer.pendingRemovals]).toEqual([6n, 4n]);
    const more = ok(wantSeats(held, fewer, 8n, on('2027-04-07')));
    expect([more.count, more.pendingRemovals, highWaterMark(more)]).toEqual([8n, 0n, 8n]);
    expect(ok(wantSeats(held, fewer, 6n, on('2027-04-07'))).pendingRemovals).toBe(0n);
  });

  test("can decrease only by seats that aren't already scheduled for removal (CON-44)", () => {
    const leaving = ok(removeSeats(count(6n), 4n, on('2027-04-06')));
    expect(removeSeats(leaving, 3n, on('2027-04-07'))).toMatchObject({
      code: 'insufficient_seats',
      param: 'count',
    });
    expect(ok(removeSeats(leaving, 2n, on('2027-04-07'))).pendingRemovals).toBe(6n);
  });

  test("can't exceed a hard limit, but a count above the limit remains and can decrease (CON-52)", () => {
    const hard = terms({ includedAmount: 4n, overageEnabled: false, allowsOverage: false });
    expect(addSeats(hard, count(4n), 1n, on('2027-04-06'))).toMatchObject({
      code: 'included_limit_reached',
      details: { current: 4, included: 4, remaining: 0 },
    });
    expect(ok(wantSeats(hard, count(9n), 8n, on('2027-04-06'))).pendingRemovals).toBe(1n);
    expect(wantSeats(hard, count(9n), 10n, on('2027-04-06'))).toMatchObject({
      code: 'included_limit_reached',
    });
    expect(ok(addSeats({ ...hard, unlimited: true }, count(4n), 99n, on('2027-04-06'))).count).toBe(103n);
  });

  test('reaches its limit only if it was below the limit before (CON-47)', () => {
    expect(reachesIncluded(held, 3n, 4n)).toBe(true);
    expect(reachesIncluded(held, 3n, 9n)).toBe(true);
    expect(reachesIncluded(held, 4n, 5n)).toBe(false);
    expect(reachesIncluded(terms({ unlimited: true, includedAmount: 4n }), 3n, 9n)).toBe(false);
  });
});

describe('a seat or quota count', () => {
  test.each([
    ['metered', null],
    ['credits', poolTerms('credits')],
    ['balance', poolTerms('balance', true)],
  ] as const)('is counted and charged in the same way on %s plans (CON-1)', (_model, pool) => {
    const held = terms({ pool, includedAmount: 4n, rates: unitRates(115_000n) });
    const period = { start: midnight('2027-04-05'), end: midnight('2027-05-05') };
    const rise = { on: '2027-04-17', units: 3n, days: 18n, amountMinor: 2_070n };
    expect(trueUps(held, ok(addSeats(held, count(6n), 3n, on('2027-04-17'))), period)).toMatchObject([rise]);
    expect(trueUps(held, ok(setQuota(held, count(6n), 9n, on('2027-04-17'))), period)).toMatchObject([rise]);
    const hard = { ...held, allowsOverage: false };
    expect(addSeats(hard, count(4n), 1n, on('2027-04-06'))).toMatchObject({
      code: 'included_limit_reached',
    });
    expect(setQuota(hard, count(4n), 5n, on('2027-04-06'))).toMatchObject({
      code: 'included_limit_reached',
    });
  });
});

describe('a quota count', () => {
  const held = terms({ includedAmount: 12n, rates: unitRates(6_000n) });
  const period = { start: midnight('2027-10-03'), end: midnight('2027-11-03') };
  const move = (of: FeatureCountRow, by: bigint, date: string): FeatureCountRow =>
    ok(setQuota(held, of, of.count + by, on(date)));

  test('is billed by its highest value instead of by each increase (CON-E6)', () => {
    const days: [bigint, string][] = [
      [9n, '2027-10-11'],
      [-15n, '2027-10-14'],
      [10n, '2027-10-19'],
      [8n, '2027-10-25'],
    ];
    const end = days.reduce((of, [by, date]) => move(of, by, date), count(12n));
    expect([end.count, highWaterMark(end)]).toEqual([24n, 24n]);
    expect(trueUps(held, end, period)).toMatchObject([
      { on: '2027-10-11', units: 9n, days: 23n, amountMinor: 401n },
      { on: '2027-10-25', units: 3n, days: 9n, amountMinor: 52n },
    ]);
  });

  test('combines several increases on the same day', () => {
    const end = move(move(move(count(12n), 1n, '2027-10-11'), -5n, '2027-10-11'), 9n, '2027-10-11');
    expect(end.steps).toEqual([{ on: '2027-10-11', mark: '17' }]);
    expect(trueUps(held, end, period)).toMatchObject([
      { on: '2027-10-11', units: 5n, days: 23n, amountMinor: 223n },
    ]);
  });

  test("costs nothing up to the included quantity, if overage isn't allowed, or if there is no price", () => {
    const end = move(count(0n), 15n, '2027-10-11');
    expect(trueUps(held, end, period).map(({ units }) => units)).toEqual([3n]);
    expect(trueUps({ ...held, allowsOverage: false }, end, period)).toEqual([]);
    expect(trueUps({ ...held, unlimited: true }, end, period)).toEqual([]);
    expect(trueUps({ ...held, rates: null }, end, period)).toEqual([]);
  });

  test('can decrease above a hard limit (CON-52)', () => {
    const hard = terms({ includedAmount: 4n, overageEnabled: false, allowsOverage: false });
    expect(ok(setQuota(hard, count(9n), 8n, on('2027-10-04'))).count).toBe(8n);
    expect(setQuota(hard, count(9n), 10n, on('2027-10-04'))).toMatchObject({
      code: 'included_limit_reached',
    });
  });

  test("can't be negative (CON-49)", () => {
    expect(setQuota(held, count(3n), -1n, on('2027-10-04'))).toMatchObject({ code: 'insufficient_balance' });
    expect(ok(setQuota(held, count(3n), 0n, on('2027-10-04'))).count).toBe(0n);
  });
});
