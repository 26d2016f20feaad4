import { describe, expect, test } from 'vitest';
import {
  capturedUsdMinor,
  disputedUsdMinor,
  netUsdMinor,
  platformFeeUsdMinor,
  refundedUsdMinor,
} from '../../src/domain/payments/funds.ts';
import { businessDay, canMove, payoutRejection } from '../../src/domain/payments/payout.ts';

/** A charge of 219.56 with 35.06 of tax and a fee of 11.48 (PAY-E3). */
const charge = {
  provider: 'platform',
  amountMinor: 21_956n,
  grossUsdMinor: 21_956n,
  taxUsdMinor: 3_506n,
  feeUsdMinor: 1_148n,
  refundedMinor: 0n,
} as const;

describe("a charge's net amount", () => {
  // 219.56 − 11.48 = 208.08 before tax. 208.08 − 35.06 = 173.02 after tax.
  test('is the gross amount minus the fee and the tax that the platform remits (PAY-25, PAY-E3)', () => {
    expect(netUsdMinor({ ...charge, taxUsdMinor: 0n })).toBe(20_808n);
    expect(netUsdMinor(charge)).toBe(17_302n);
    expect(capturedUsdMinor(charge)).toBe(17_302n);
    expect(netUsdMinor({ ...charge, provider: 'stripe' })).toBe(20_808n);
  });

  test('is 0 on connected accounts, if the exchange rate is unknown, and if the fee and tax exceed the gross amount (PAY-16, PAY-24)', () => {
    expect(capturedUsdMinor({ ...charge, provider: 'stripe' })).toBe(0n);
    expect(capturedUsdMinor({ ...charge, grossUsdMinor: null, taxUsdMinor: null })).toBe(0n);
    expect(capturedUsdMinor({ ...charge, grossUsdMinor: 60n, feeUsdMinor: 53n, taxUsdMinor: 10n })).toBe(0n);
  });
});

test("a charge has a fee only on the platform's provider and only if the exchange rate is known (PAY-16, PAY-24)", () => {
  const availableAt = new Date('2027-03-01T08:00:00.000Z');
  expect(platformFeeUsdMinor({ ...charge, availableAt })).toBe(1_148n);
  expect(platformFeeUsdMinor({ ...charge, availableAt, feeUsdMinor: 0n })).toBe(0n);
  expect(platformFeeUsdMinor({ ...charge, availableAt: null })).toBeNull();
  expect(platformFeeUsdMinor({ ...charge, availableAt, grossUsdMinor: null })).toBeNull();
});

describe('the deduction for a refund or dispute', () => {
  // 184.50 of 219.56 without tax. A third of 219.56 is 73.1866…
  test('is the gross amount minus tax for a full refund, and a proportional share for a partial refund (PAY-28)', () => {
    expect(refundedUsdMinor({ ...charge, refundedMinor: 21_956n })).toBe(18_450n);
    // 18,450 × 7,319 ÷ 21,956 = 6,150.26 → 6,150.
    expect(refundedUsdMinor({ ...charge, refundedMinor: 7_319n })).toBe(6_150n);
    expect(refundedUsdMinor({ ...charge, provider: 'stripe', refundedMinor: 21_956n })).toBe(0n);
  });

  test('is the unrefunded gross amount in US cents for a dispute (PAY-32, PAY-E4)', () => {
    expect(disputedUsdMinor(charge)).toBe(21_956n);
    const foreign = { ...charge, amountMinor: 33_395n, grossUsdMinor: 6_150n, taxUsdMinor: 0n };
    expect(disputedUsdMinor(foreign)).toBe(6_150n);
    // 6,150 × 10,000 ÷ 33,395 = 1,841.59. 1,842 was refunded, and 4,308 remains.
    expect(disputedUsdMinor({ ...foreign, refundedMinor: 10_000n })).toBe(4_308n);
  });
});

describe('a payout', () => {
  test.each([
    [1_000n, 1_000n, null],
    [1_001n, 1_000n, 'insufficient_balance'],
    [1_000n, -1n, 'insufficient_balance'],
  ] as const)(
    'is rejected above the available balance: amount %s, balance %s, error %s (PAY-36, PAY-40)',
    (amount, available, code) => {
      expect(payoutRejection(amount, available)?.code ?? null).toBe(code);
    },
  );

  test('changes only to a later status, and can be canceled only before the transfer (PAY-37)', () => {
    const statuses = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;
    const moves = statuses.flatMap((from) =>
      statuses.filter((to) => canMove(from, to)).map((to) => `${from} ${to}`),
    );
    expect(moves).toEqual([
      'pending in_transit',
      'pending paid',
      'pending failed',
      'pending canceled',
      'in_transit paid',
      'in_transit failed',
    ]);
  });

  test('counts bank business days (PAY-37)', () => {
    // From Thursday, March 11, 2027: Friday the 12th, Monday the 15th and Tuesday the 16th.
    const days = [1, 2, 3].map((n) =>
      businessDay(new Date('2027-03-11T12:00:00Z'), n).toISOString().slice(0, 10),
    );
    expect(days).toEqual(['2027-03-12', '2027-03-15', '2027-03-16']);
    expect(businessDay(new Date('2027-03-13T00:00:00Z'), 1).toISOString()).toBe('2027-03-15T00:00:00.000Z');
  });
});
