import { describe, expect, test } from 'vitest';
import { refundableOf } from '../../src/dashboard/pages/payments/transaction-view.ts';
import { chargedAmount } from '../../src/dashboard/parts/charged-amount.ts';

// BRL 245.00 are worth 49.00 US dollars.
const inReais = { grossAmount: 4_900, presentmentAmount: 24_500 };
const inDollars = { grossAmount: 4_900, presentmentAmount: null };

describe('what was charged', () => {
  test('is in the currency of the charge', () => {
    expect([chargedAmount(inReais), chargedAmount(inDollars)]).toEqual([24_500, 4_900]);
  });

  test('is known in a currency whose worth is not', () => {
    expect(chargedAmount({ grossAmount: null, presentmentAmount: 24_500 })).toBe(24_500);
    expect(chargedAmount({ grossAmount: null, presentmentAmount: null })).toBeNull();
  });

  test('can be refunded less what was refunded, in the currency of the charge', () => {
    expect(refundableOf({ ...inReais, status: 'succeeded', refundedAmount: 4_500 })).toBe(20_000);
    expect(refundableOf({ ...inReais, status: 'failed', refundedAmount: 0 })).toBe(0);
  });
});
