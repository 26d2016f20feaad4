import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overageLines } from '../../src/domain/invoicing/feature-overage.ts';
import { measure, riseBy } from '../../src/domain/meters/measure.ts';
import { aggregations, type MeterDocument } from '../../src/domain/meters/meter.ts';
import { totalOf } from '../../src/domain/meters/total.ts';
import { minorPerUnit } from '../../src/domain/money/money.ts';
import { ratio, roundedTo } from '../../src/domain/rates/exact.ts';
import { heldAmount } from '../../src/domain/rates/held.ts';
import { priceOf } from '../../src/domain/rates/price.ts';
import { rateInParts } from '../../src/domain/rates/rate.ts';
import { readRate } from '../../src/domain/rates/read-rate.ts';
import { withMeter } from '../../src/domain/usage/metered-terms.ts';
import { terms } from '../domain/usage/facts.ts';
import { trials } from '../support/laws.ts';

// Totals of meters for random events. A total equals the total of all events, and doesn't depend on the
// order in which events arrive. A price of counted units equals the price of the units.

const runs = trials(300);

type Sent = { readonly quantity: number; readonly user: string; readonly at: number };

const sent: fc.Arbitrary<Sent> = fc.record({
  quantity: fc.integer({ min: 0, max: 500 }),
  user: fc.constantFrom('a', 'b', 'c', 'd'),
  at: fc.integer({ min: 0, max: 1_000_000 }),
});

/** Random events with different times, because the order of arrival decides between equal times. */
const history = fc.uniqueArray(sent, { maxLength: 30, selector: ({ at }) => at });

const meters: fc.Arbitrary<MeterDocument> = fc
  .record({
    aggregation: fc.constantFrom(...aggregations),
    filters: fc.option(fc.constant([{ property: 'user', notIn: ['d'] }]), { nil: undefined }),
    step: fc.option(fc.constantFrom('0.5', '2'), { nil: undefined }),
  })
  .map(({ aggregation, filters, step }): MeterDocument => {
    const isCount = aggregation === 'count' || aggregation === 'unique';
    return {
      aggregation,
      ...(aggregation === 'unique' ? { property: 'user' } : {}),
      decimals: isCount ? 0 : 1,
      ...(step === undefined || isCount ? {} : { step }),
      ...(filters === undefined ? {} : { filters }),
    };
  });

/** Returns the total after events in order of arrival. */
function running(meter: MeterDocument, events: readonly Sent[]): bigint {
  let [total, latestAt]: [bigint, Date | null] = [0n, null];
  const counts = new Map<string, bigint>();
  for (const { quantity, user, at } of events) {
    const text = meter.decimals === 0 ? String(quantity) : `${Math.floor(quantity / 10)}.${quantity % 10}`;
    const measured = measure(meter, {
      value: null,
      quantity: text,
      properties: [{ property: 'user', value: user }],
    });
    if ('code' in measured) throw new Error(measured.message);
    const known = counts.get(user) ?? 0n;
    if (measured.key !== null) counts.set(user, known + 1n);
    total += riseBy(meter, { total, latestAt }, measured, new Date(at), known);
    if (measured.isCounted && (latestAt === null || at >= latestAt.getTime())) latestAt = new Date(at);
  }
  return total;
}

/** Calculates the total of all events with ordinary numbers, in tenths. */
function naive({ aggregation, filters, step }: MeterDocument, events: readonly Sent[]): number {
  const counted = events.filter(({ user }) => filters === undefined || user !== 'd');
  const size = step === undefined ? 1 : Number(step) * 10;
  const quantities = counted.map(({ quantity }) => Math.ceil(quantity / size) * size);
  const last = counted.toSorted((a, b) => a.at - b.at).at(-1);
  switch (aggregation) {
    case 'sum':
      return quantities.reduce((sum, quantity) => sum + quantity, 0);
    case 'count':
      return counted.length;
    case 'max':
      return Math.max(0, ...quantities);
    case 'latest':
      return last === undefined ? 0 : Math.ceil(last.quantity / size) * size;
    default:
      return new Set(counted.map(({ user }) => user)).size;
  }
}

describe('the total of a meter', () => {
  test('equals the total of all events', () => {
    fc.assert(
      fc.property(meters, history, (meter, events) => {
        expect(Number(running(meter, events))).toBe(naive(meter, events));
      }),
      runs,
    );
  });

  test('does not depend on the order in which the events arrive', () => {
    const shuffled = history.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    );
    fc.assert(
      fc.property(meters, shuffled, (meter, [events, others]) => {
        expect(running(meter, others)).toBe(running(meter, events));
      }),
      runs,
    );
  });
});

describe('the total of a window from all its events', () => {
  test('equals the running total for each aggregation of events', () => {
    fc.assert(
      fc.property(meters, history, (meter, events) => {
        const stored = events.map(({ quantity, user, at }, index) => ({
          value: BigInt(quantity),
          quantity: meter.decimals === 0 ? null : `${Math.floor(quantity / 10)}.${quantity % 10}`,
          properties: [{ property: 'user', value: user }],
          ts: new Date(at),
          seq: BigInt(index),
        }));
        const window = { start: new Date(0), end: new Date(2_000_000) };
        expect(totalOf(meter, stored, window)).toBe(running(meter, events));
      }),
      runs,
    );
  });
});

const feature = {
  id: 'ftr_1',
  seq: 1n,
  code: 'storage',
  name: 'Storage',
  type: 'usage',
  unitName: null,
  deletedAt: null,
  meters: [],
} as const;

const rates = fc
  .record({
    model: fc.constantFrom('graduated', 'volume', 'package', 'stairs', 'per_unit'),
    per: fc.constantFrom(1, 5, 1_000),
    bound: fc.integer({ min: 1, max: 20 }),
    amounts: fc.array(fc.integer({ min: 0, max: 99_999 }), { minLength: 2, maxLength: 2 }),
  } as const)
  .map(({ model, per, bound, amounts }) => {
    const tiers = (model === 'per_unit' ? [null] : [bound * (model === 'package' ? per : 1), null]).map(
      (upTo, index) => ({
        upTo,
        [model === 'stairs' ? 'flat' : 'amount']: `0.${String(amounts[index] ?? 0).padStart(5, '0')}`,
      }),
    );
    const read = readRate({ model, per, tiers });
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    return read.rate;
  });

describe('the price of fractions of units', () => {
  test('equals the price of the units, and the sum of the invoice lines', () => {
    fc.assert(
      fc.property(
        rates,
        fc.integer({ min: 0, max: 3 }),
        fc.bigInt({ min: 0n, max: 100_000n }),
        (rate, decimals, units) => {
          const scale = 10n ** BigInt(decimals);
          const exact = priceOf(rate, ratio(units, scale));
          const parts = heldAmount([rateInParts(rate, decimals)], units);
          expect(parts.numerator * exact.denominator).toBe(exact.numerator * parts.denominator);
          const metered = withMeter(terms({ rates: [rate] }), { aggregation: 'sum', decimals });
          const window = { start: new Date(0), end: new Date(1) };
          const lines = overageLines(
            { feature, terms: metered, use: { total: units, covered: 0n }, window },
            'usd',
          );
          expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(
            roundedTo(exact, minorPerUnit('usd')),
          );
        },
      ),
      runs,
    );
  });
});
