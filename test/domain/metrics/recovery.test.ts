import { expect, test } from 'vitest';
import { type RecoveryCases, summarizeRecovery } from '../../../src/domain/metrics/recovery.ts';

const ended = (outcome: RecoveryCases['outcome'], count: number, amount: bigint | null): RecoveryCases => ({
  outcome,
  maker: null,
  attempts: null,
  count,
  amount,
});

const recovered = (
  maker: RecoveryCases['maker'],
  attempts: number,
  count: number,
  amount: bigint,
): RecoveryCases => ({ outcome: 'recovered', maker, attempts, count, amount });

const cases = [
  recovered('retry', 1, 20, 140_000n),
  recovered('customer', 1, 8, 60_000n),
  recovered('hand', 3, 3, 14_800n),
  ended('exhausted', 9, 88_300n),
  ended('canceled', 4, 17_200n),
  ended('voided', 1, 5_000n),
  ended('open', 2, 9_900n),
];

test('31 of 44 recovered cases is a recovery rate of 70.45% by count and 67.06% by amount (MET-41, MET-E10)', () => {
  const summary = summarizeRecovery(cases);
  expect(summary).toMatchObject({ rateByCountBps: 7_045, rateByAmountBps: 6_706, isFinal: false });
  expect(summary.outcomes).toEqual([
    { outcome: 'recovered', count: 31, amount: 214_800n },
    { outcome: 'exhausted', count: 9, amount: 88_300n },
    { outcome: 'canceled', count: 4, amount: 17_200n },
    { outcome: 'voided', count: 1, amount: 5_000n },
    { outcome: 'open', count: 2, amount: 9_900n },
  ]);
  expect(summary.recoveredBy).toEqual([
    { maker: 'retry', count: 20, amount: 140_000n },
    { maker: 'customer', count: 8, amount: 60_000n },
    { maker: 'hand', count: 3, amount: 14_800n },
  ]);
  expect(summary.attempts.map(({ attempt, count }) => [attempt, count])).toEqual([
    [1, 28],
    [2, 0],
    [3, 3],
    [4, 0],
  ]);
});

test('a recovery rate requires closed cases, and the rate by amount also requires an exchange rate', () => {
  expect(summarizeRecovery([ended('open', 1, 100n)])).toMatchObject({
    rateByCountBps: null,
    rateByAmountBps: null,
    isFinal: false,
  });
  expect(summarizeRecovery([ended('exhausted', 1, null)])).toMatchObject({
    rateByCountBps: 0,
    rateByAmountBps: null,
    isFinal: true,
  });
});
