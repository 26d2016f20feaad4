import { expect, test } from 'vitest';
import {
  binsOf,
  type CardPromotionRow,
  isForInterval,
  promotionOf,
} from '../../../src/domain/offers/card-promotion.ts';

const promotion = (id: string, bins: readonly string[]): CardPromotionRow => ({
  id,
  offerId: 'offer',
  billingInterval: null,
  autoDiscovered: true,
  bins,
});
const promotions = [promotion('P', ['512345']), promotion('Q', ['51234567'])];

test.each([
  ['51234567', 'Q'],
  ['51234511', 'P'],
  ['41111111', null],
  [null, null],
] as const)(
  'a card with the BIN %s matches the promotion with the longest matching prefix: %s (OFR-38, OFR-E6)',
  (bin, id) => {
    expect(promotionOf(promotions, bin)?.id ?? null).toBe(id);
    expect(promotionOf(promotions.toReversed(), bin)?.id ?? null).toBe(id);
  },
);

test('a card is matched by the first eight or six digits of its number', () => {
  expect(binsOf('51234567')).toEqual(['51234567', '512345']);
  expect(binsOf(null)).toEqual([]);
});

test('a promotion applies either to one interval or to all intervals (OFR-38)', () => {
  const [any] = promotions;
  if (any === undefined) throw new Error('no promotion');
  expect(isForInterval(any, 'yearly')).toBe(true);
  expect(isForInterval({ ...any, billingInterval: 'yearly' }, 'yearly')).toBe(true);
  expect(isForInterval({ ...any, billingInterval: 'yearly' }, 'monthly')).toBe(false);
});
