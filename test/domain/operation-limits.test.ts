import { describe, expect, it } from 'vitest';
import { previewText } from '../../src/domain/limits/approval.ts';
import { allowsOperation, type KeyPolicy, policyLimits } from '../../src/domain/limits/key-policy.ts';
import type { StoredGauges } from '../../src/domain/limits/limit.ts';
import {
  correctedGauges,
  isWithinLimit,
  movedGauges,
  type OperationLimit,
  reachedBy,
  retryAfterOf,
  triedOperations,
} from '../../src/domain/limits/operation-limits.ts';
import { payerAttempts, portalRetries, pricingPurchases } from '../../src/domain/limits/system-operations.ts';

const noon = new Date('2026-03-02T12:00:00.000Z');
const later = (minutes: number): Date => new Date(noon.getTime() + minutes * 60_000);

/** Counts operations, and returns whether each was accepted. */
function counted(limit: OperationLimit, times: readonly Date[], money = 0n): readonly boolean[] {
  let gauges: StoredGauges = {};
  return times.map((now) => {
    const tried = triedOperations([limit], gauges, { calls: 1n, money }, now);
    const isAccepted = tried.every(isWithinLimit);
    if (isAccepted) gauges = movedGauges(tried, gauges);
    return isAccepted;
  });
}

describe('a limit on operations', () => {
  it('counts payment attempts in the portal per UTC day (BIL-47)', () => {
    expect(counted(portalRetries, [noon, noon, noon, noon, later(719), later(720)])).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it('counts payment attempts of payers in the last 60 minutes, to the millisecond (BIL-42)', () => {
    const ten = Array.from({ length: 10 }, () => noon);
    expect(reachedBy(payerAttempts, ten, new Date(later(60).getTime() - 1))).toMatchObject([
      { limit: payerAttempts },
    ]);
    expect(reachedBy(payerAttempts, ten, later(60))).toEqual([]);
    expect(reachedBy(payerAttempts, ten.slice(1), noon)).toEqual([]);
  });

  it('states the seconds after which all limits accept a rejected operation (LIM-76)', () => {
    const ten = Array.from({ length: 10 }, (_, minute) => later(minute));
    const secondsAfter = (limits: readonly OperationLimit[], now: Date) =>
      retryAfterOf(limits.flatMap((limit) => reachedBy(limit, ten, now)));
    expect(secondsAfter([payerAttempts], later(9))).toBe(51 * 60);
    expect(secondsAfter([payerAttempts], new Date(later(60).getTime() - 1))).toBe(1);
    const hour: OperationLimit = { ...payerAttempts, amount: 1n };
    expect(secondsAfter([payerAttempts, hour], later(9))).toBe(60 * 60);
    const never: OperationLimit = { ...payerAttempts, amount: 0n };
    expect(secondsAfter([payerAttempts, never], later(9))).toBeUndefined();
  });

  it('counts purchases at a pricing table in the last 60 minutes, which leave at most a minute late (CAT-65)', () => {
    const full = Array.from({ length: 300 }, () => noon);
    expect(counted(pricingPurchases, [...full, later(60), later(61)]).slice(-3)).toEqual([true, false, true]);
  });

  it('releases money that an operation did not move, on the same day only', () => {
    const [day] = policyLimits({
      maxAmountPerCall: null,
      maxAmountPerDay: 200,
      maxCallsPerHour: null,
      approveAbove: null,
    });
    if (day === undefined) throw new Error('The policy has no limit.');
    const tried = triedOperations([day], {}, { calls: 1n, money: 150n }, noon);
    const gauges = movedGauges(tried, {});
    const usedAt = (now: Date): string => {
      const correction = { delta: { calls: 0n, money: -100n }, countedAt: noon, now };
      const corrected = correctedGauges([day], gauges, correction.delta, correction);
      return Object.values(corrected)[0]?.used ?? '0';
    };
    expect(usedAt(later(1))).toBe('50');
    expect(usedAt(later(720))).toBe('0');
  });
});

describe('a policy', () => {
  const policy: KeyPolicy = {
    operations: null,
    customers: null,
    maxAmountPerCall: null,
    maxAmountPerDay: null,
    maxCallsPerHour: null,
    approveAbove: null,
    approveOperations: [],
  };

  it.each([
    [null, true],
    [{ allow: ['payments'] }, true],
    [{ allow: ['transactionRefund'] }, true],
    [{ allow: [] }, false],
    [{ deny: ['payments'] }, false],
    [{ deny: ['usage'] }, true],
  ])('lists operations and areas: %j', (operations, isAllowed) => {
    const refund = { name: 'transactionRefund', area: 'payments' };
    expect(allowsOperation({ ...policy, operations }, refund)).toBe(isAllowed);
  });
});

describe('the text of a preview', () => {
  const textOf = (data: object, now: Date, firstId: string): string =>
    previewText(
      'subscriptionCreate',
      { planId: 'pln_1' },
      { money: [], events: [{ kind: 'a', data }] },
      { now, firstId },
    );
  const created = (suffix: string) => ({
    subscriptionId: `sub_${suffix}`,
    startsAt: '2026-03-02T12:00:00.000Z',
    endsAt: '2026-03-05T12:00:00.000Z',
    customerId: 'cus_0000000000000000000001',
  });

  it('is equal for equal effects with other new IDs and times', () => {
    const first = textOf(created('5000000000000000000002'), noon, 'apr_5000000000000000000001');
    const second = textOf(
      {
        ...created('6000000000000000000002'),
        startsAt: '2026-03-02T12:07:00.000Z',
        endsAt: '2026-03-05T12:07:00.000Z',
      },
      later(7),
      'apr_6000000000000000000001',
    );
    expect(second).toBe(first);
    expect(first).toContain('cus_0000000000000000000001');
  });

  it('differs for other amounts, existing objects, and arguments', () => {
    const base = textOf({ total: 1 }, noon, 'apr_5000000000000000000001');
    expect(textOf({ total: 2 }, noon, 'apr_5000000000000000000001')).not.toBe(base);
    const bounds = { now: noon, firstId: 'apr_5000000000000000000001' };
    const events = [{ kind: 'a', data: { total: 1 } }];
    expect(previewText('subscriptionCreate', { planId: 'pln_2' }, { money: [], events }, bounds)).not.toBe(
      base,
    );
  });
});
