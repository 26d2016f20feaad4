import { describe, expect, test } from 'vitest';
import {
  capturedUsdMinor,
  disputedUsdMinor,
  keptFeeUsdMinor,
  netUsdMinor,
  refundedUsdMinor,
} from '../../src/domain/funds.ts';
import { businessDay, canMove, payoutRejection } from '../../src/domain/payout.ts';

/** 219.56 with 35.06 of tax and a fee of 11.48 (PAY-E3). */
const charge = {
  provider: 'platform',
  amountMinor: 21_956n,
  grossUsdMinor: 21_956n,
  taxUsdMinor: 3_506n,
  feeUsdMinor: 1_148n,
  refundedMinor: 0n,
} as const;

describe('what a charge brings', () => {
  // 219.56 − 11.48 = 208.08 before the tax, − 35.06 = 173.02 after it.
  test('is the gross less the fee and the tax the platform remits (PAY-25, PAY-E3)', () => {
    expect(netUsdMinor({ ...charge, taxUsdMinor: 0n })).toBe(20_808n);
    expect(netUsdMinor(charge)).toBe(17_302n);
    expect(capturedUsdMinor(charge)).toBe(17_302n);
    expect(netUsdMinor({ ...charge, provider: 'stripe' })).toBe(20_808n);
  });

  test('is nothing on own connections, where no one knows its worth, and where fee and tax exceed it (PAY-16, PAY-24)', () => {
    expect(capturedUsdMinor({ ...charge, provider: 'stripe' })).toBe(0n);
    expect(capturedUsdMinor({ ...charge, grossUsdMinor: null, taxUsdMinor: null })).toBe(0n);
    expect(capturedUsdMinor({ ...charge, grossUsdMinor: 60n, feeUsdMinor: 53n, taxUsdMinor: 10n })).toBe(0n);
  });
});

test('the fee is known of what settled on the own processor of the platform at a known worth only (PAY-16, PAY-24)', () => {
  const availableAt = new Date('2027-03-01T08:00:00.000Z');
  expect(keptFeeUsdMinor({ ...charge, availableAt })).toBe(1_148n);
  expect(keptFeeUsdMinor({ ...charge, availableAt, feeUsdMinor: 0n })).toBe(0n);
  expect(keptFeeUsdMinor({ ...charge, availableAt: null })).toBeNull();
  expect(keptFeeUsdMinor({ ...charge, availableAt, grossUsdMinor: null })).toBeNull();
});

describe('what refunds and disputes take', () => {
  // 184.50 of 219.56 are not tax; a third of 219.56 is 73.1866…
  test('of a full refund is all but the tax, of parts what adds up to it (PAY-28)', () => {
    expect(refundedUsdMinor({ ...charge, refundedMinor: 21_956n })).toBe(18_450n);
    // 18 450 × 7 319 ÷ 21 956 = 6 150.26 → 6 150.
    expect(refundedUsdMinor({ ...charge, refundedMinor: 7_319n })).toBe(6_150n);
    expect(refundedUsdMinor({ ...charge, provider: 'stripe', refundedMinor: 21_956n })).toBe(0n);
  });

  test('of a dispute is all of the gross that was not refunded, in US cents (PAY-32, PAY-E4)', () => {
    expect(disputedUsdMinor(charge)).toBe(21_956n);
    const foreign = { ...charge, amountMinor: 33_395n, grossUsdMinor: 6_150n, taxUsdMinor: 0n };
    expect(disputedUsdMinor(foreign)).toBe(6_150n);
    // 6 150 × 10 000 ÷ 33 395 = 1 841.59 → 1 842 returned, 4 308 left.
    expect(disputedUsdMinor({ ...foreign, refundedMinor: 10_000n })).toBe(4_308n);
  });
});

describe('a payout', () => {
  test.each([
    [1_000n, 1_000n, null],
    [1_001n, 1_000n, 'insufficient_balance'],
    [1_000n, -1n, 'insufficient_balance'],
  ] as const)('of %s out of %s: %s (PAY-36, PAY-40)', (amount, available, code) => {
    expect(payoutRejection(amount, available)?.code ?? null).toBe(code);
  });

  test('moves forward only, and is withdrawn only before it is on its way (PAY-37)', () => {
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

  test('counts business days, on which banks work (PAY-37)', () => {
    // Thursday 11 March 2027: Friday the 12th, then Monday the 15th and Tuesday the 16th.
    const days = [1, 2, 3].map((n) =>
      businessDay(new Date('2027-03-11T12:00:00Z'), n).toISOString().slice(0, 10),
    );
    expect(days).toEqual(['2027-03-12', '2027-03-15', '2027-03-16']);
    expect(businessDay(new Date('2027-03-13T00:00:00Z'), 1).toISOString()).toBe('2027-03-15T00:00:00.000Z');
  });
});
