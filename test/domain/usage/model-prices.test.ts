import { describe, expect, test } from 'vitest';
import {
  bandsOf,
  type KnownModel,
  type ListedModel,
  modelChanges,
  priceOfDecimal,
  priceUnits,
} from '../../../src/domain/usage/model-prices.ts';
import type { TokenPrices } from '../../../src/domain/usage/tokens.ts';

const prices = { input: 2_150_000n, output: 8_600_000n, cache_read: 215_000n };
const listed = (name: string, changes: Partial<TokenPrices> = {}): ListedModel => ({
  id: `acme/${name}`,
  provider: 'acme',
  name,
  prices: [{ upTo: null, prices: { ...prices, ...changes } }],
});
const listOf = (models: readonly ListedModel[], invalidIds: readonly string[] = []) => ({
  models,
  invalidIds,
});
const known = (name: string, isActive = true): KnownModel => ({ ...listed(name), isActive });

describe('the parser of AI model prices', () => {
  test.each([
    ['0.00000215', 2_150_000n],
    ['2.15e-06', 2_150_000n],
    ['2.15E-6', 2_150_000n],
    ['215e-8', 2_150_000n],
    ['0', 0n],
    ['0.0', 0n],
    ['1', 1_000_000_000_000n],
    // Half a unit is rounded up, and less is rounded down: 0.0000000000005 × 10^12 = 0.5.
    ['0.0000000000005', 1n],
    ['4.9999999999e-13', 0n],
    // As a floating-point number, the product with 10^12 would be 1,000,000,000.4999999 or .5. The decimal text is exact.
    ['0.0010000000005', 1_000_000_001n],
    ['0.00100000000049999999999999999', 1_000_000_000n],
    ['9007.199254740991', 9_007_199_254_740_991n],
  ])(
    'converts %s per token to %s millionths of a dollar per million tokens, without rounding errors (CON-32a)',
    (text, price) => {
      expect(priceOfDecimal(text, priceUnits.perToken)).toBe(price);
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
    '9007.199254740992',
    '9'.repeat(31),
  ])('rejects %s', (text) => {
    expect(priceOfDecimal(text, priceUnits.perToken)).toBeNull();
  });

  test('moves the decimal point of prices per million tokens by six places', () => {
    expect(priceOfDecimal('2.6875', priceUnits.perMillionTokens)).toBe(2_687_500n);
  });
});

describe('an update of the model prices (CON-32a)', () => {
  test('creates history only for new models and changed prices', () => {
    const dearer = listed('dearer', { output: 8_600_001n });
    const reasoning = listed('reasoning', { reasoning: 1n });
    const changes = modelChanges(
      [known('same'), known('dearer'), known('reasoning')],
      listOf([listed('same'), dearer, reasoning, listed('new')]),
    );
    expect(changes).toEqual({
      written: [dearer, reasoning, listed('new')],
      repriced: [dearer, reasoning, listed('new')],
      goneIds: [],
    });
  });

  test('disables missing models once, and enables them again at the same prices without new history', () => {
    expect(modelChanges([known('gone'), known('gone before', false)], listOf([]))).toEqual({
      written: [],
      repriced: [],
      goneIds: ['acme/gone'],
    });
    expect(modelChanges([known('back', false)], listOf([listed('back')]))).toEqual({
      written: [listed('back')],
      repriced: [],
      goneIds: [],
    });
  });

  test('uses the first of two entries with the same ID', () => {
    const [first, second] = [listed('twice'), listed('twice', { input: 1n })];
    expect(modelChanges([], listOf([first, second]))).toEqual({
      written: [first],
      repriced: [first],
      goneIds: [],
    });
  });

  test('keeps a model whose entry is invalid', () => {
    expect(modelChanges([known('broken'), known('gone')], listOf([], ['acme/broken']))).toEqual({
      written: [],
      repriced: [],
      goneIds: ['acme/gone'],
    });
  });

  test('compares the prices of all bands', () => {
    const above = (input: bigint): ListedModel => ({
      ...listed('long'),
      prices: bandsOf(prices, new Map([[200_000n, { input }]])),
    });
    const stored: KnownModel = { ...above(4_300_000n), isActive: true };
    expect(modelChanges([stored], listOf([above(4_300_000n)])).repriced).toEqual([]);
    expect(modelChanges([stored], listOf([above(4_300_001n)])).repriced).toHaveLength(1);
    expect(modelChanges([stored], listOf([listed('long')])).repriced).toHaveLength(1);
  });
});

test('the prices above a number of input tokens change only the listed classes (PRM-117)', () => {
  const above = new Map([
    [256_000n, { output: 9n }],
    [128_000n, { input: 5n, output: 7n }],
  ]);
  expect(bandsOf({ input: 1n, output: 2n, cache_read: 3n }, above)).toEqual([
    { upTo: 128_000n, prices: { input: 1n, output: 2n, cache_read: 3n } },
    { upTo: 256_000n, prices: { input: 5n, output: 7n, cache_read: 3n } },
    { upTo: null, prices: { input: 5n, output: 9n, cache_read: 3n } },
  ]);
});
