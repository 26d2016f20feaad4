import { expect, it } from 'vitest';
import { policyLimits } from '../../src/domain/limits/key-policy.ts';
import { correctOperation, takeOperation } from '../../src/engine/policy/gauges.ts';
import type { Query } from '../../src/platform/db/pool.ts';

const now = new Date('2026-03-02T09:00:00.000Z');
const noAmounts = {
  maxAmountPerCall: null,
  maxAmountPerDay: null,
  maxCallsPerHour: null,
  approveAbove: null,
};

/** Counts an operation of 60.00 and corrects it. Returns the number of rejecting limits, and the number of statements. */
async function countWith(policy: Partial<typeof noAmounts> | Record<string, number>) {
  let statements = 0;
  const sql: Query = async () => {
    statements += 1;
    return [];
  };
  const limits = policyLimits({ ...noAmounts, ...policy });
  const delta = { calls: 1n, money: 6_000n };
  const rejecting = await takeOperation(sql, 'key_1', limits, { delta, now });
  await correctOperation(sql, 'key_1', limits, { delta, countedAt: now, now });
  return { rejecting: rejecting.length, statements };
}

it('limits of single operations are decided without a stored gauge', async () => {
  expect(await countWith({ maxAmountPerCall: 5_000 })).toEqual({ rejecting: 1, statements: 0 });
  expect(await countWith({ maxAmountPerCall: 7_000, approveAbove: 5_000 })).toEqual({
    rejecting: 0,
    statements: 0,
  });
  expect(await countWith({})).toEqual({ rejecting: 0, statements: 0 });
});

it('limits of days and hours have a stored gauge', async () => {
  expect(await countWith({ maxAmountPerDay: 7_000 })).toEqual({ rejecting: 0, statements: 4 });
  expect(await countWith({ maxCallsPerHour: 2 })).toEqual({ rejecting: 0, statements: 4 });
});
