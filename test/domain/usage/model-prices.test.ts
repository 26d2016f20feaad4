import { describe, expect, test } from 'vitest';
import {
  type KnownModel,
  type ListedModel,
  modelChanges,
  priceUnits,
  rateOfDecimal,
} from '../../../src/domain/usage/model-prices.ts';

const prices = { input: 21_500n, output: 86_000n, cacheRead: 2_150n, cacheWrite: 26_875n };
const listed = (name: string, changes: Partial<ListedModel['prices']> = {}): ListedModel => ({
  id: `acme/${name}`,
  provider: 'acme',
  name,
  prices: { ...prices, ...changes },
});
const known = (name: string, isActive = true): KnownModel => ({ ...listed(name), isActive });

describe('the parser of AI model prices', () => {
  test.each([
    ['0.00000215', 21_500n],
    ['2.15e-06', 21_500n],
    ['2.15E-6', 21_500n],
    ['215e-8', 21_500n],
    ['0', 0n],
    ['0.0', 0n],
    ['1', 10_000_000_000n],
    // Half a unit is rounded up, and less is rounded down: 0.00000000005 × 10^10 = 0.5.
    ['0.00000000005', 1n],
    ['4.9999999999e-11', 0n],
    // As a floating-point number, the product with 10^10 would be 1,000,000,000.4999999 or .5. The decimal text is exact.
    ['0.10000000005', 1_000_000_001n],
    ['0.100000000049999999999999999', 1_000_000_000n],
    ['900719.9254740991', 9_007_199_254_740_991n],
  ])(
    'converts %s per token to a rate of %s per million tokens, without rounding errors (CON-32a)',
    (text, rate) => {
      expect(rateOfDecimal(text, priceUnits.perToken)).toBe(rate);
    },
  );

  test.each([
    '',
    '-1',
    '1,5',
    '.5',
    '1e999',
    'NaN',
    'Infinity',
    '1_000',
    '0x10',
    '٣',
    '900719.9254740992',
    '9'.repeat(31),
  ])('rejects %s', (text) => {
    expect(rateOfDecimal(text, priceUnits.perToken)).toBeNull();
  });

  test('moves the decimal point of prices per million tokens by four places', () => {
    expect(rateOfDecimal('2.6875', priceUnits.perMillionTokens)).toBe(26_875n);
  });
});

describe('an update of the model prices (CON-32a)', () => {
  test('creates history only for new models and changed prices', () => {
    const dearer = listed('dearer', { output: 86_001n });
    const uncached = listed('uncached', { cacheRead: null });
    const changes = modelChanges(
      [known('same'), known('dearer'), known('uncached')],
      [listed('same'), dearer, uncached, listed('new')],
    );
    expect(changes).toEqual({
      written: [dearer, uncached, listed('new')],
      repriced: [dearer, uncached, listed('new')],
      goneIds: [],
    });
  });

  test('disables missing models once, and enables them again at the same prices without new history', () => {
    expect(modelChanges([known('gone'), known('gone before', false)], [])).toEqual({
      written: [],
      repriced: [],
      goneIds: ['acme/gone'],
    });
    expect(modelChanges([known('back', false)], [listed('back')])).toEqual({
      written: [listed('back')],
      repriced: [],
      goneIds: [],
    });
  });

  test('uses the first of two entries with the same ID', () => {
    const [first, second] = [listed('twice'), listed('twice', { input: 1n })];
    expect(modelChanges([], [first, second])).toEqual({ written: [first], repriced: [first], goneIds: [] });
  });
});
