import { describe, expect, test } from 'vitest';
import type { RateDraft } from '../../../src/dashboard/parts/catalog/model/rate-draft.ts';
import {
  modelsFor,
  pastedTiers,
  rateOfPrice,
  withModel,
  withNewTier,
  withoutTier,
  withTier,
} from '../../../src/dashboard/parts/catalog/model/rate-table.ts';

const tier = (upTo: string, amount: string, flat = '') => ({ upTo, amount, flat });

describe('a pasted table of tiers', () => {
  test.each([
    ['tabs, a header and group separators', 'en', 'Up to\tPrice\n1,000\t$0.02\n\n∞\t0.000015\n'],
    ['commas', 'en', '1000,0.02,\n,0.000015,'],
    ['semicolons and Spanish decimals', 'es', '1.000;0,02\n;0,000015'],
    ['a bound in the last line', 'en', '1000\t0.02\n5000\t0.000015'],
  ])('is converted to tiers if the table has %s', (_name, locale, text) => {
    expect(pastedTiers(text, locale)).toEqual([tier('1000', '0.02'), tier('', '0.000015')]);
  });

  test.each(['1000', '1,000', 'some\nwords'])('does not parse the text %j', (text) => {
    expect(pastedTiers(text, 'en')).toBeNull();
  });
});

describe('a rate in the editor', () => {
  const rate: RateDraft = rateOfPrice('graduated', 200);

  test('starts with the unit price', () => {
    expect(rate).toEqual({ model: 'graduated', per: 1, tiers: [tier('', '0.02')], minimum: '', maximum: '' });
  });

  test('adds tiers with increasing bounds', () => {
    expect(withNewTier(withNewTier(rate)).tiers.map(({ upTo }) => upTo)).toEqual(['1000', '10000', '']);
    expect(withNewTier(withTier(rate, 0, { upTo: '0.07' })).tiers.map(({ upTo }) => upTo)).toEqual([
      '0.07',
      '0.7',
      '',
    ]);
    expect(withTier(rate, 0, { upTo: '5' }).tiers.map(({ upTo }) => upTo)).toEqual(['5', '']);
  });

  test('keeps the last tier without a bound if a tier is removed', () => {
    expect(withoutTier(withNewTier(rate), 1).tiers).toEqual([tier('', '0.02')]);
  });

  test("removes amounts that a newly selected model doesn't use", () => {
    expect(withModel(withNewTier(rate), 'stairs').tiers).toEqual([
      tier('1000', '', '0.02'),
      tier('', '', '0.02'),
    ]);
    expect(withModel(withNewTier(rate), 'per_unit').tiers).toEqual([tier('', '0.02')]);
  });

  test('offers only models whose price never falls if usage is deducted from a balance', () => {
    expect(modelsFor(true)).toEqual(['per_unit', 'graduated', 'package']);
  });
});
