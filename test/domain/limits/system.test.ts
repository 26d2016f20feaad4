import { describe, expect, it } from 'vitest';
import { crossingOf, isAccepted } from '../../../src/domain/limits/system.ts';
import { amountsIn } from '../../../src/domain/lots/account.ts';
import { adjustPool, consume } from '../../../src/domain/lots/movements.ts';
import { admit } from '../../../src/domain/usage/admission.ts';
import {
  canChangeLevel,
  crossedPool,
  poolLimit,
  reachesIncluded,
  unitLimit,
} from '../../../src/domain/usage/system-limits.ts';
import { account, counter, poolTerms, terms } from '../usage/facts.ts';

const hard = terms({ includedAmount: 4_200n, allowsOverage: false });
const charged = terms({ includedAmount: 4_200n });

/** Returns the events of totals that follow each other in a usage window, and the number of silent thresholds at the end. */
function eventsOf(totals: readonly bigint[], of = hard): readonly [(string | null)[], number] {
  let crossed = 0;
  const events = totals.slice(1).map((after, index) => {
    const limit = unitLimit(of);
    const crossing = limit && crossingOf(limit, { before: totals[index] ?? 0n, after }, crossed);
    crossed = crossing?.crossed ?? crossed;
    return crossing?.event ?? null;
  });
  return [events, crossed];
}

describe('the limit on included units', () => {
  it('sends an event at 80%, and at all units or at the first additional unit (CON-E1, LIM-E29)', () => {
    expect(eventsOf([0n, 3_359n, 3_360n, 4_199n, 4_200n, 4_200n])).toEqual([
      [null, 'quota.threshold_reached', null, 'quota.exceeded', null],
      2,
    ]);
    expect(eventsOf([0n, 3_360n, 4_200n, 4_201n, 4_300n], charged)).toEqual([
      ['quota.threshold_reached', null, 'quota.exceeded', null],
      2,
    ]);
  });

  it('sends only the last event if a movement crosses several thresholds, and no earlier event in the same window', () => {
    expect(eventsOf([0n, 5_000n, 100n, 3_500n, 4_200n])).toEqual([['quota.exceeded', null, null, null], 2]);
    expect(eventsOf([0n, 3_400n, 100n, 3_400n, 4_200n])).toEqual([
      ['quota.threshold_reached', null, null, 'quota.exceeded'],
      2,
    ]);
  });

  it.each([
    ['unlimited units', terms({ unlimited: true, allowsOverage: false })],
    [
      'a total that is known at the end of the window',
      terms({
        allowsOverage: false,
        meter: {
          document: { aggregation: 'percentile', percentile: 99, decimals: 0 },
          scale: 1n,
          includedAmount: 0n,
          rates: null,
        } as never,
      }),
    ],
  ])("doesn't exist for %s", (_name, of) => {
    expect(unitLimit(of)).toBe(null);
  });

  it('is derived once for the same terms', () => {
    expect(unitLimit(hard)).toBe(unitLimit(hard));
    expect(unitLimit(hard)).toMatchObject({ measure: 'units', action: 'block', amount: 4_200n });
    expect(unitLimit(charged)).toMatchObject({ action: 'notify', amount: 4_200n });
  });

  it('counts held units for its acceptance and not for its events', () => {
    const meter = {
      account: account(),
      counter: counter({ total: 3_000n, held: { units: '1000', price: '0' } }),
      cells: undefined,
    };
    expect(admit(hard, meter, { units: 201n, cost: null })).toMatchObject({
      rejection: { code: 'included_limit_reached', details: { current: 3_000, remaining: 200 } },
      alerts: ['quota.exceeded'],
    });
    expect(admit(hard, meter, { units: 200n, cost: null })).toMatchObject({ alerts: [] });
  });
});

describe('the limit on a pool', () => {
  it('sends an event at a tenth of the last refill, and when nothing is left', () => {
    let held = account({ balanceRate: 640n, lastRefillRate: 640n });
    const fallTo = (left: bigint): string | null => {
      const { account: after } = consume(held, 'balance', amountsIn(held, 'balance').amount - left);
      const [marked, event] = crossedPool('balance', held, after);
      held = marked;
      return event;
    };
    expect([90n, 64n, 40n, 0n].map(fallTo)).toEqual([null, 'balance.low', null, 'balance.depleted']);
    const refilled = adjustPool(held, 'balance', 250n, false, null);
    if ('code' in refilled) throw new Error(refilled.code);
    held = refilled.account;
    expect([30n, 24n].map(fallTo)).toEqual([null, 'balance.low']);
    expect(amountsIn(held, 'balance').crossed).toBe(0);
  });

  it('rejects usage below 0 unless the pool can be overdrawn', () => {
    const accepts = (canOverdraw: boolean, isMore: boolean, after: bigint): boolean =>
      isAccepted(poolLimit('credits', poolTerms('credits', canOverdraw)), isMore, after);
    expect([accepts(false, true, 0n), accepts(false, true, -1n), accepts(false, false, -1n)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(accepts(true, true, -1n)).toBe(true);
  });
});

describe('the limit on seats and quota', () => {
  const seats = terms({ includedAmount: 4n, allowsOverage: false });

  it.each([
    [3n, 4n, true],
    [4n, 5n, false],
    [9n, 8n, true],
    [9n, 9n, true],
  ])('accepts a change from %i to %i: %s', (before, after, isAllowed) => {
    expect(canChangeLevel(seats, before, after)).toBe(isAllowed);
    expect(canChangeLevel({ ...seats, allowsOverage: true }, before, after)).toBe(true);
    expect(canChangeLevel({ ...seats, unlimited: true }, before, after)).toBe(true);
  });

  it('is reached each time that the number rises to it', () => {
    expect(reachesIncluded(seats, 3n, 4n)).toBe(true);
    expect(reachesIncluded(seats, 4n, 4n)).toBe(false);
    expect(reachesIncluded(terms({ includedAmount: 0n }), 0n, 1n)).toBe(false);
  });
});
