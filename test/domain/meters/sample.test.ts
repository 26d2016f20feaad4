import { describe, expect, test } from 'vitest';
import type { MeterDocument } from '../../../src/domain/meters/meter.ts';
import { sampleMeter } from '../../../src/domain/meters/sample.ts';
import type { WindowEvent } from '../../../src/domain/meters/total.ts';

// Effect of a meter on recorded events (PRM-10, PRM-12, PRM-120).

const start = Date.parse('2027-04-05T09:00:00Z');

/** Returns events in the order of the list, newest first. Each has a value and the properties `region` and `size`. */
const events = (
  ...parts: readonly (readonly [value: bigint, region: string, size?: string])[]
): WindowEvent[] =>
  parts.map(([value, region, size], index) => ({
    value,
    quantity: null,
    properties: [
      { property: 'region', value: region },
      ...(size === undefined ? [] : [{ property: 'size', value: size }]),
    ],
    ts: new Date(start - index * 60_000),
    seq: BigInt(parts.length - index),
  }));

const recorded = events([61n, 'eu', '10'], [600n, 'us', '2000'], [59n, 'eu', 'large']);

const sum: MeterDocument = { aggregation: 'sum', decimals: 0 };

describe('a meter sample', () => {
  test.each<[string, MeterDocument | null, (bigint | null)[], bigint | null]>([
    ['no meter', null, [61n, 600n, 59n], 720n],
    ['a sum with a step', { ...sum, step: '60' }, [120n, 600n, 60n], 780n],
    ['two decimals', { ...sum, decimals: 2 }, [6_100n, 60_000n, 5_900n], 72_000n],
    ['a filter', { ...sum, filters: [{ property: 'region', in: ['eu'] }] }, [61n, 0n, 59n], 120n],
    ['the largest value', { aggregation: 'max', decimals: 0 }, [61n, 600n, 59n], 600n],
    ['the latest value', { aggregation: 'latest', decimals: 0 }, [61n, 600n, 59n], 61n],
    ['unique values', { aggregation: 'unique', property: 'region', decimals: 0 }, [0n, 1n, 1n], 2n],
    ['the number of events', { aggregation: 'count', decimals: 0 }, [1n, 1n, 1n], 3n],
    ['a property', { ...sum, property: 'size' }, [10n, 2_000n, null], 2_010n],
    ['a percentile', { aggregation: 'percentile', percentile: 95, decimals: 0 }, [61n, 600n, 59n], null],
  ])('counts events with %s', (_name, meter, units, total) => {
    const sample = sampleMeter(meter, recorded);
    expect(sample.events.map((event) => event.units)).toEqual(units);
    expect(sample.total).toBe(total);
    expect(sample.parts).toBeNull();
  });

  test('sums events by each combination of dimension values, largest first', () => {
    const meter = { ...sum, dimensions: [{ property: 'region' }, { property: 'size', bands: ['100'] }] };
    const more = events(
      [61n, 'eu', '10'],
      [600n, 'us', '2000'],
      [59n, 'eu', 'large'],
      [4n, 'eu', '100'],
      [2n, ''],
    );
    const { parts, total, events: counted } = sampleMeter(meter, more);
    expect(parts).toEqual([
      { values: { region: 'us', size: '>100' }, units: 600n },
      { values: { region: 'eu', size: '100' }, units: 65n },
      { values: { region: '', size: '' }, units: 2n },
    ]);
    expect(total).toBe(667n);
    expect(counted[2]).toEqual({
      units: null,
      values: null,
      problem: 'properties.size: must be a decimal, such as "0.20".',
    });
  });

  test('returns 0 without events', () => {
    expect(sampleMeter(sum, [])).toEqual({ events: [], total: 0n, parts: null });
  });
});
