import { describe, expect, it } from 'vitest';
import type { Crossing } from '../../../src/domain/limits/crossings.ts';
import {
  type LimitRow,
  limitedCaller,
  limitWindow,
  type StoredGauges,
} from '../../../src/domain/limits/limit.ts';
import type { LimitTerms } from '../../../src/domain/limits/limit-terms.ts';
import {
  acceptedCrossings,
  rejectedCrossings,
  settledCrossings,
} from '../../../src/domain/limits/operation-crossings.ts';
import {
  closesAt,
  countsOperation,
  isWithinLimit,
  movedGauges,
  openedAt,
  operationEntry,
  storedLimit,
  triedOperations,
} from '../../../src/domain/limits/operation-limits.ts';
import { limitProblems } from '../../../src/domain/limits/problems.ts';
import { exactText } from '../../../src/domain/rates/exact.ts';
import { limitOf } from '../../support/limits.ts';

const operations = { features: [], dimensions: [], operations: [] };
const day = limitWindow('day', { timeZone: 'UTC' });
const ofKey = (fields: Partial<LimitRow> = {}): LimitRow =>
  limitOf({ customerId: null, apiKeyId: 'key_1', filter: operations, window: day, amount: 3n, ...fields });

const node = { kind: 'apiKey', id: 'key_1' } as const;

/** Counts operations of an amount of money. Returns the crossings of each. */
function story(row: LimitRow, raise: bigint, moves: readonly (readonly [time: string, money: bigint])[]) {
  let gauges: StoredGauges = {};
  let reached = {};
  const limit = storedLimit(row, { raise });
  return moves.map(([time, money]) => {
    const tried = triedOperations([limit], gauges, { calls: 1n, money }, new Date(time));
    const isAccepted = tried.every(isWithinLimit) || row.action === 'notify';
    const found = isAccepted
      ? acceptedCrossings(tried, node, reached)
      : rejectedCrossings(tried, node, reached);
    if (isAccepted) gauges = movedGauges(tried, gauges);
    reached = found.reached;
    const shown = ({ kind, cause, value, crossed }: Crossing): string =>
      `${kind === 'reached' ? cause : kind} ${exactText(value)} of ${crossed.map(exactText).join(', ')}`;
    return found.crossings.map(shown);
  });
}

describe('crossings of a limit on operations (LIM-42)', () => {
  it.each([
    ['the amount, once per window', ofKey(), 0n, [[], [], ['amount 3 of 3'], [], [], [], ['amount 3 of 3']]],
    ['a raised amount', ofKey(), 1n, [[], [], [], ['amount 4 of 4'], [], [], []]],
    [
      'thresholds and the amount',
      ofKey({ thresholds: [{ amount: 2, bps: null, rearm: 'window' }] }),
      0n,
      [[], ['threshold 2 of 2'], ['amount 3 of 3'], [], [], ['threshold 2 of 2'], ['amount 3 of 3']],
    ],
    [
      'nothing without an amount',
      ofKey({ amount: null, action: 'notify' }),
      0n,
      [[], [], [], [], [], [], []],
    ],
  ] as const)('contain %s', (_name, row, raise, expected) => {
    const [first, second] = ['2026-03-02T09:00:00.000Z', '2026-03-03T00:00:00.000Z'];
    const times = [first, first, first, first, second, second, second];
    const moves = times.map((time) => [time, 0n] as const);
    expect(story(row, raise, moves)).toEqual(expected);
  });

  it('contain the first rejection of a window', () => {
    const row = ofKey({ measure: 'money', currency: 'usd', amount: 10_000n });
    expect(
      story(row, 0n, [
        ['2026-03-02T09:00:00.000Z', 6_000n],
        ['2026-03-02T09:01:00.000Z', 4_100n],
        ['2026-03-02T09:02:00.000Z', 4_200n],
        ['2026-03-02T09:03:00.000Z', 4_000n],
        ['2026-03-03T00:00:00.000Z', 10_001n],
      ]),
    ).toEqual([[], ['rejected 6000 of 10000'], [], [], ['rejected 0 of 10000']]);
  });

  it('records the crossings of a failed operation only if the limit blocks (ALR-11)', () => {
    const crossingsOf = (row: LimitRow): readonly Crossing[] => {
      const limit = storedLimit(row, { raise: 0n });
      const tried = triedOperations([limit], {}, { calls: 1n, money: 0n }, new Date(0));
      return acceptedCrossings(tried, node, {}).crossings;
    };
    const [blocking, notifying] = [
      crossingsOf(ofKey({ amount: 1n })),
      crossingsOf(ofKey({ amount: 1n, action: 'notify' })),
    ];
    expect(settledCrossings(blocking, false)).toEqual([blocking, []]);
    expect(settledCrossings(notifying, false)).toEqual([[], notifying]);
    expect(settledCrossings(notifying, true)).toEqual([notifying, []]);
  });
});

describe('a stored limit on operations', () => {
  it('is shown with its raises and in its currency (LIM-72)', () => {
    const row = ofKey({ measure: 'money', currency: 'jpy', amount: 500n });
    const limit = storedLimit(row, { raise: 100n });
    const [tried] = triedOperations(
      [limit],
      {},
      { calls: 1n, money: 601n },
      new Date('2026-03-02T09:00:00.000Z'),
    );
    if (tried === undefined) throw new Error('The limit was not tried.');
    expect(operationEntry(tried, node)).toMatchObject({
      node: { kind: 'apiKey', key: 'key_1', path: [] },
      unit: 'jpy',
      amount: '500',
      raise: '100',
      asked: '601',
      remaining: '600',
      fitsAt: null,
    });
  });

  it('has calendar windows in the time zone of the node (LIM-32)', () => {
    const limit = storedLimit(ofKey({ window: limitWindow('day') }), {
      raise: 0n,
      timeZone: 'America/Bogota',
    });
    const now = new Date('2026-03-03T04:59:00.000Z');
    expect(new Date(openedAt(limit, now)).toISOString()).toBe('2026-03-02T05:00:00.000Z');
    expect(closesAt(limit, now)?.toISOString()).toBe('2026-03-03T05:00:00.000Z');
    const lifetime = storedLimit(ofKey({ window: limitWindow('lifetime') }), { raise: 0n });
    expect([openedAt(lifetime, now), closesAt(lifetime, now)]).toEqual([now.getTime(), null]);
  });

  it.each([
    [[], true],
    [['transactionRefund'], true],
    [['payments'], true],
    [['customerCreate', 'usage'], false],
  ])('counts a refund with the operations %j: %s', (names, isCounted) => {
    const limit = storedLimit(ofKey({ filter: { ...operations, operations: names } }), { raise: 0n });
    expect(countsOperation(limit, { name: 'transactionRefund', area: 'payments' })).toBe(isCounted);
  });

  it.each([
    [{ apiKeyId: 'key_1' }, 'apiKey'],
    [{ apiKeyId: null, memberId: 'mem_1' }, 'member'],
    [{ apiKeyId: null, each: 'apiKey' }, 'apiKey'],
    [{ apiKeyId: null, each: 'member' }, 'member'],
    [{ apiKeyId: null, each: 'member', filter: { features: [], dimensions: [] } }, null],
    [{ apiKeyId: null, customerId: 'cus_1' }, null],
  ] as const)('finds the callers of a limit with the fields %j: %s (LIM-20)', (fields, caller) => {
    expect(limitedCaller(ofKey(fields))).toBe(caller);
  });
});

describe('problems of limits on operations', () => {
  const terms: LimitTerms = ofKey();
  it.each([
    [{}, null],
    [{ action: 'approve' }, null],
    [{ window: limitWindow('session', { minutes: 60 }) }, null],
    [{ measure: 'money', currency: 'usd', window: limitWindow('event') }, null],
    [{ window: limitWindow('event') }, 'window.kind'],
    [{ window: limitWindow('billing_period') }, 'window.kind'],
    [{ measure: 'spend', currency: 'usd' }, 'measure'],
    [{ measure: 'money' }, 'currency'],
    [{ measure: 'money', currency: 'eur' }, 'currency'],
    [{ measure: 'money', amounts: [{ currency: 'usd', amount: 1 }], amount: null }, 'currency'],
    [{ action: 'throttle' }, 'action'],
    [{ apiKeyId: null, memberId: 'mem_1', action: 'approve' }, 'action'],
    [{ apiKeyId: null, each: 'apiKey', planId: 'pln_1' }, 'scope.in'],
    [{ apiKeyId: null, each: 'member', customerId: 'cus_1' }, 'scope.in'],
    [{ channels: ['portal'] }, 'channels'],
    [{ filter: { ...operations, operations: ['payments', 'payments'] } }, 'filter.operations'],
    [{ filter: { ...operations, features: ['api_calls'] } }, 'filter.operations'],
    [{ share: { bps: 5_000, of: 'lim_2' }, amount: null }, 'amount'],
    [{ action: 'notify', amount: null }, 'amount'],
    [{ apiKeyId: null, customerId: 'cus_1' }, 'filter.operations'],
    [{ apiKeyId: null, each: 'team' }, 'filter.operations'],
    [{ apiKeyId: null, measure: 'money', currency: 'usd' }, 'measure'],
  ] as const)('%j: %s', (changes, field) => {
    const [problem] = limitProblems({ ...terms, ...(changes as Partial<LimitTerms>) });
    expect(problem?.field ?? null).toBe(field);
  });
});
