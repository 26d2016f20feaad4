import { describe, expect, test } from 'vitest';
import { feeOn } from '../../src/domain/money/fees.ts';
import { usdMinor } from '../../src/domain/pricing/regional.ts';

const terms = (feeBasisPoints: bigint, feeFixedUsdMinor: bigint) => ({
  feeBasisPoints,
  feeFixedUsdMinor,
  availableAfterDays: 7,
});

describe('the platform fee', () => {
  test.each([
    [21_956n, 500n, 50n, 1_148n],
    [100n, 500n, 50n, 55n],
    [10n, 500n, 0n, 1n],
    [9n, 500n, 0n, 0n],
    [20n, 0n, 50n, 20n],
    [0n, 500n, 50n, 0n],
    [9_007_199_254_740_991n, 10_000n, 0n, 9_007_199_254_740_991n],
  ])(
    'is calculated on %d cents at %d basis points plus %d cents: %d cents (PAY-25, PAY-E3)',
    (gross, points, fixed, fee) => {
      expect(feeOn(gross, terms(points, fixed))).toBe(fee);
    },
  );
});

test.each([
  [33_395n, 543_000_000n, 'brl', 6_150n],
  [950n, 95_000_000_000n, 'clp', 100n],
  [1n, 543_000_000n, 'brl', 0n],
  [0n, 543_000_000n, 'brl', 0n],
])(
  '%d minor units at %d hundred-millionths of %s per dollar is %d US cents (PAY-24, PAY-E4)',
  (amount, rateE8, currency, cents) => {
    expect(usdMinor(amount, rateE8, currency)).toBe(cents);
  },
);
