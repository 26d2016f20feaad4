import { describe, expect, test } from 'vitest';
import { measure, riseBy } from '../../../src/domain/meters/measure.ts';
import { isPlain, type MeterDocument } from '../../../src/domain/meters/meter.ts';
import { type MeterInput, readMeter } from '../../../src/domain/meters/read-meter.ts';

const event = (value: number, user = '') => ({
  value: BigInt(value),
  quantity: null,
  properties: [{ property: 'user', value: user }],
});
const stated = (quantity: string) => ({ value: null, quantity, properties: [] });

const meter = (changes: Partial<MeterDocument> = {}): MeterDocument => ({
  aggregation: 'sum',
  decimals: 0,
  ...changes,
});

/** Events of the worked example PRM-E5, in order. */
const events = [event(3, 'a'), event(7, 'b'), event(5, 'a'), event(2, 'c'), event(7, 'b')];

/** Returns the total after events that were recorded at consecutive times. */
function totalOf(of: MeterDocument | null, recorded = events): bigint {
  let [total, latestAt]: [bigint, Date | null] = [0n, null];
  const counts = new Map<string, bigint>();
  for (const [index, one] of recorded.entries()) {
    const measured = measure(of, one);
    if ('code' in measured) throw new Error(measured.message);
    const known = counts.get(measured.key ?? '') ?? 0n;
    if (measured.key !== null) counts.set(measured.key, known + 1n);
    total += riseBy(of, { total, latestAt }, measured, new Date(index), known);
    latestAt = new Date(index);
  }
  return total;
}

describe('the total of a window', () => {
  test.each([
    ['sum', 24n],
    ['count', 5n],
    ['max', 7n],
    ['latest', 7n],
    ['unique', 3n],
  ] as const)('is calculated by the aggregation %s (PRM-E5)', (aggregation, total) => {
    expect(totalOf(meter({ aggregation, ...(aggregation === 'unique' ? { property: 'user' } : {}) }))).toBe(
      total,
    );
  });

  test('ignores events that do not meet a filter (PRM-13)', () => {
    expect(totalOf(meter({ filters: [{ property: 'user', in: ['a', 'c'] }] }))).toBe(10n);
    expect(totalOf(meter({ filters: [{ property: 'user', notIn: ['a'] }] }))).toBe(16n);
    expect(totalOf(meter({ aggregation: 'count', filters: [{ property: 'plan', in: [''] }] }))).toBe(5n);
  });

  test('keeps the latest quantity if a late event arrives', () => {
    const of = meter({ aggregation: 'latest' });
    const measured = measure(of, event(9));
    if ('code' in measured) throw new Error(measured.message);
    const state = { total: 4n, latestAt: new Date(10) };
    expect(riseBy(of, state, measured, new Date(9), 0n)).toBe(0n);
    expect(riseBy(of, state, measured, new Date(10), 0n)).toBe(5n);
    expect(riseBy(of, { ...state, total: 12n }, measured, new Date(11), 0n)).toBe(-3n);
  });
});

describe('the quantity of an event (PRM-120)', () => {
  test('is rounded up to a multiple of the step, and raised to the minimum per event (PRM-E33)', () => {
    const units = [61, 600, 59].map((seconds) => measure(meter({ step: '60' }), event(seconds)));
    expect(units).toMatchObject([{ units: 120n }, { units: 600n }, { units: 60n }]);
    expect(measure(meter({ minimumPerEvent: '60' }), event(12))).toMatchObject({ units: 60n, value: 60n });
    expect(measure(meter({ decimals: 2, step: '0.25' }), stated('0.30'))).toMatchObject({
      units: 50n,
      quantity: '0.50',
      value: 1n,
    });
  });

  test('is the number in a property, with the decimals of the meter (PRM-E20)', () => {
    const of = meter({ property: 'amount', decimals: 2 });
    const properties = [{ property: 'amount', value: '1249.5' }];
    expect(measure(of, { value: null, quantity: null, properties })).toEqual({
      value: 1_250n,
      quantity: '1249.50',
      units: 124_950n,
      key: null,
      isCounted: true,
    });
  });

  test('defaults to 1, and is a whole number without decimals', () => {
    expect(measure(null, { value: null, quantity: null, properties: [] })).toMatchObject({
      value: 1n,
      quantity: null,
    });
    expect(measure(null, stated('4'))).toMatchObject({ value: 4n, units: 4n, quantity: null });
    expect(measure(meter({ decimals: 3 }), event(4))).toMatchObject({
      value: 4n,
      units: 4_000n,
      quantity: '4.000',
    });
  });

  test.each<[string, MeterDocument | null, Parameters<typeof measure>[1], string, string]>([
    ['too many decimals', meter({ decimals: 1 }), stated('0.25'), 'quantity', 'bad_quantity'],
    ['a fraction of a whole unit', null, stated('0.5'), 'quantity', 'bad_quantity'],
    ['a negative quantity', meter({ decimals: 1 }), stated('-1'), 'quantity', 'bad_quantity'],
    ['a value and a quantity', null, { ...stated('1'), value: 1n }, 'quantity', 'bad_quantity'],
    [
      'a property that is not a number',
      meter({ property: 'user' }),
      event(1, 'a'),
      'properties.user',
      'bad_quantity',
    ],
    ['a missing property', meter({ property: 'size' }), event(1), 'properties.size', 'bad_quantity'],
    [
      'a missing property that is counted',
      meter({ aggregation: 'unique', property: 'host' }),
      event(1),
      'properties.host',
      'bad_quantity',
    ],
    ['a quantity above the maximum', null, stated('9007199254740992'), 'quantity', 'too_large'],
  ])('rejects %s', (_title, of, sent, param, reason) => {
    expect(measure(of, sent)).toMatchObject({ code: 'validation_error', param, details: { reason } });
  });
});

describe('readMeter', () => {
  test('returns a meter without the fields that are missing', () => {
    const input = { aggregation: 'max', decimals: 2, step: '0.05', property: null, filters: [] } as const;
    expect(readMeter(input)).toEqual({ meter: { aggregation: 'max', decimals: 2, step: '0.05' } });
    expect(isPlain(meter())).toBe(true);
    expect(isPlain(meter({ step: '2' }))).toBe(false);
  });

  test.each<[string, MeterInput, string[]]>([
    ['a counted property', { aggregation: 'unique' }, ['property']],
    [
      'a property of a count',
      { aggregation: 'count', property: 'user', decimals: 1 },
      ['property', 'decimals'],
    ],
    [
      'a step of unique values',
      { aggregation: 'unique', property: 'user', step: '2', minimumPerEvent: '2' },
      ['step', 'minimumPerEvent'],
    ],
    ['a step with too many decimals', { aggregation: 'sum', decimals: 1, step: '0.25' }, ['step']],
    ['a step of 0', { aggregation: 'sum', step: '0' }, ['step']],
    [
      'filters',
      { aggregation: 'sum', filters: [{ property: 'a' }, { property: 'b', in: ['1'], notIn: ['2'] }] },
      ['filters.0', 'filters.1'],
    ],
  ])('rejects %s', (_title, input, fields) => {
    const read = readMeter(input);
    expect('problems' in read ? read.problems.map(({ field }) => field) : []).toEqual(fields);
  });
});
