import { describe, expect, test } from 'vitest';
import { lowestFactor } from '../../../src/domain/rates/derived.ts';
import { exactText } from '../../../src/domain/rates/exact.ts';
import { readDerived } from '../../../src/domain/rates/read-derived.ts';
import { admit, rejectsUnit } from '../../../src/domain/usage/admission.ts';
import { priceUnits } from '../../../src/domain/usage/record.ts';
import { account, counter, poolTerms, terms } from './facts.ts';

const cost = {
  model: 'graduated',
  per: 1,
  tiers: [
    { upTo: '10', amount: '0.0002', flat: '0' },
    { upTo: null, amount: '0.0001', flat: '0' },
  ],
} as const;

const batch = { when: { mode: ['batch', 'night'] }, factorBps: 5_000 };
const region = { when: { region: ['eu'], mode: ['batch'] }, factorBps: 11_000 };
const sent = (properties: Readonly<Record<string, string>>) =>
  Object.entries(properties).map(([property, value]) => ({ property, value }));

describe('the factor of a derived rate (PRM-112, PRM-113)', () => {
  test.each([
    ['no modifier matches', {}, '1.2'],
    ['a value is listed', { mode: 'night' }, '0.6'],
    ['several modifiers match', { mode: 'batch', region: 'eu' }, '0.66'],
    ['only one of two properties matches', { mode: 'night', region: 'eu' }, '0.6'],
    ['another value is sent', { mode: 'live', region: 'eu' }, '1.2'],
  ])('contains the margin and all matching modifiers if %s', (_title, properties, factor) => {
    const rate = { from: 'cost', marginBps: 2_000, modifiers: [batch, region] } as const;
    expect(exactText(lowestFactor([rate], sent(properties)))).toBe(factor);
  });

  test('is the lowest of all versions', () => {
    const versions = [
      { from: 'cost', marginBps: 2_000 },
      { from: 'cost', marginBps: 4_000, modifiers: [batch] },
    ] as const;
    expect(exactText(lowestFactor(versions, []))).toBe('1.2');
    expect(exactText(lowestFactor(versions, sent({ mode: 'batch' })))).toBe('0.7');
  });
});

test('units cost their increase of the cost, with the margin (PRM-112)', () => {
  const held = terms({
    pool: poolTerms('balance'),
    derived: [{ from: 'cost', marginBps: 5_000 }],
    cost,
  });
  let meter = { account: account({ balanceRate: 40n }), counter: counter() };
  const use = (units: bigint) => {
    const quantity = priceUnits(held, units, meter.counter, []);
    if ('code' in quantity) throw new Error(quantity.message);
    const result = admit(held, meter, quantity);
    if ('rejection' in result) return result.rejection.code;
    meter = result.meter;
    return quantity.cost;
  };
  // 9 × 0.0002 × 1.5 = 0.0027. The next 2 units cost (0.0002 + 0.0001) × 1.5 = 0.00045, so the window costs 0.00315.
  expect(use(9n)).toBe(27n);
  expect(use(2n)).toBe(5n);
  expect(meter.counter).toMatchObject({ price: '0.00315', total: 11n });
  expect(rejectsUnit(held, meter)).toBe(false);
  // 6 × 0.0001 × 1.5 = 0.0009: the window costs 0.00405, more than 0.0040.
  expect(use(6n)).toBe('insufficient_balance');
  expect(use(5n)).toBe(7n);
});

test('a derived rate without a cost, or without an exchange rate, has no price', () => {
  const held = terms({ pool: poolTerms('balance', true), derived: [{ from: 'cost' }], cost: null });
  expect(priceUnits(held, 1n, counter(), [])).toMatchObject({ code: 'insufficient_balance' });
  const local = { ...held, cost, currency: 'brl' };
  expect(priceUnits(local, 1n, counter(), [])).toMatchObject({ code: 'insufficient_balance' });
});

describe('the input of a derived rate', () => {
  test('has a margin of 0 by default', () => {
    expect(readDerived({ from: 'cost' })).toEqual({ rate: { from: 'cost', marginBps: 0 } });
    const rate = { from: 'cost', marginBps: 1_000_000, modifiers: [batch, region] };
    expect(readDerived(rate)).toEqual({ rate });
  });

  test('is rejected with all problems', () => {
    const many = Array.from({ length: 4 }, (_, index) => [`p${index}`, ['x']]);
    const read = readDerived({
      from: 'list',
      marginBps: 1_000_001,
      modifiers: [
        { when: { a: [] }, factorBps: 100_001 },
        { when: Object.fromEntries(many), factorBps: 0.5 },
        null,
      ],
    });
    expect('problems' in read && read.problems.map(({ field }) => field)).toEqual([
      'from',
      'marginBps',
      'modifiers.0.factorBps',
      'modifiers.0.when.a',
      'modifiers.1.factorBps',
      'modifiers.1.when',
      'modifiers.2.factorBps',
      'modifiers.2.when',
    ]);
    const eleven = readDerived({ from: 'cost', modifiers: Array.from({ length: 11 }, () => batch) });
    expect(eleven).toMatchObject({ problems: [{ field: 'modifiers' }] });
  });
});
