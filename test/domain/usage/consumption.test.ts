import { describe, expect, test } from 'vitest';
import { amountsIn, balanceOf, otherAmountOf, planAmountOf } from '../../../src/domain/lots/account.ts';
import { adjustPool, topUpBalance } from '../../../src/domain/lots/movements.ts';
import type { Movement } from '../../../src/domain/lots/posting.ts';
import { resetPool } from '../../../src/domain/lots/reset.ts';
import { rateToMinor } from '../../../src/domain/money/money.ts';
import {
  type Accepted,
  admit,
  type Rejected,
  rejectsUnit,
  setTotal,
} from '../../../src/domain/usage/admission.ts';
import { attributeDeficit, overageUnits } from '../../../src/domain/usage/window.ts';
import { creditRates, unitRates } from '../../support/rates.ts';
import { account, counter, poolTerms, terms } from './facts.ts';

const accepted = (result: Accepted | Rejected): Accepted => {
  if ('rejection' in result) throw new Error(result.rejection.message);
  return result;
};
const rejected = (result: Accepted | Rejected): Rejected => {
  if (!('rejection' in result)) throw new Error('The draw was accepted.');
  return result;
};

/** Returns the entries of a transaction as asset, type, amount, and resulting amount. */
const entriesOf = ({ entries }: Pick<Movement, 'entries'>) =>
  entries.map(({ asset, type, amount, resulting }) => [asset, type, amount, resulting]);

/** Returns the plan credits and the other credits after an accepted transaction. */
const creditsAfter = (moved: Movement | { readonly code: string }) =>
  'code' in moved
    ? moved.code
    : [planAmountOf(moved.account, 'credits'), otherAmountOf(moved.account, 'credits')];

const payment = { sourceId: 'inv_1', description: null, paidMinor: 1_000n };

const meter = (of: Parameters<typeof account>[0] = {}, total: Parameters<typeof counter>[0] = {}) => ({
  account: account(of),
  counter: counter(total),
});

describe('metered usage', () => {
  const held = terms({ includedAmount: 4_200n, rates: unitRates(85n) });

  test('is billed at the end of the window above the included amount, with alerts at 80% and at the limit (CON-E1)', () => {
    const at = (total: bigint, units: bigint, crossed: 0 | 1 | 2 = 0) =>
      accepted(admit(held, meter({}, { total, crossed }), { units, cost: null }));
    expect(at(3_359n, 1n).alerts).toEqual(['quota.threshold_reached']);
    expect(at(3_358n, 1n).alerts).toEqual([]);
    expect(at(4_199n, 1n, 1).alerts).toEqual([]);
    expect(at(4_200n, 1n, 1).alerts).toEqual(['quota.exceeded']);
    expect(at(3_000n, 5_000n).alerts).toEqual(['quota.exceeded']);
    expect(at(4_201n, 1n, 2).alerts).toEqual([]);
    expect(overageUnits(held, counter({ total: 6_037n }))).toBe(1_837n);
    expect(rateToMinor(1_837n * 85n, 'usd')).toBe(1_561n);
  });

  test('is billed only above the units of a plan grant (SUB-54)', () => {
    const billed = (covered: bigint) => overageUnits(held, counter({ total: 6_037n, covered }));
    expect([billed(0n), billed(4_199n), billed(4_300n), billed(6_037n), billed(7_000n)]).toEqual([
      1_837n,
      1_837n,
      1_737n,
      0n,
      0n,
    ]);
  });

  test('stops at a hard limit, with an alert when the limit is reached or first exceeded (CON-11, CON-57)', () => {
    const hard = terms({ includedAmount: 10n, overageEnabled: false, allowsOverage: false });
    const full = accepted(admit(hard, meter({}, { total: 9n }), { units: 1n, cost: null }));
    expect(full).toMatchObject({
      alerts: ['quota.exceeded'],
      meter: { counter: { total: 10n, crossed: 2 } },
    });
    expect(rejected(admit(hard, full.meter, { units: 1n, cost: null }))).toMatchObject({
      alerts: [],
      rejection: { code: 'included_limit_reached', details: { current: 10, included: 10, remaining: 0 } },
    });
    const first = rejected(admit(hard, meter({}, { total: 7n }), { units: 4n, cost: null }));
    expect(first).toMatchObject({
      alerts: ['quota.exceeded'],
      rejection: { details: { current: 7, included: 10, remaining: 3 } },
    });
    expect(first.meter.counter).toEqual(counter({ total: 7n, crossed: 2 }));
    expect(rejected(admit(hard, first.meter, { units: 4n, cost: null })).alerts).toEqual([]);
    expect(overageUnits(hard, counter({ total: 25n }))).toBe(0n);
  });

  test("never reaches a limit and sends no alerts if it's unlimited", () => {
    const free = terms({ unlimited: true, overageEnabled: false, allowsOverage: false });
    expect(accepted(admit(free, meter(), { units: 10n ** 15n, cost: null })).alerts).toEqual([]);
    expect(overageUnits(free, counter({ total: 10n ** 15n }))).toBe(0n);
  });

  test('can be set to a lower or higher total, up to a hard limit (CON-14)', () => {
    const hard = terms({ includedAmount: 10n, allowsOverage: false });
    expect(accepted(setTotal(hard, meter({}, { total: 9n }), 4n)).meter.counter.total).toBe(4n);
    expect(accepted(setTotal(hard, meter({}, { total: 4n }), 10n)).meter.counter.total).toBe(10n);
    expect(accepted(setTotal(hard, meter({}, { total: 12n }), 12n)).meter.counter.total).toBe(12n);
    expect(rejected(setTotal(hard, meter({}, { total: 4n }), 11n)).rejection.code).toBe(
      'included_limit_reached',
    );
  });
});

describe('the credit balance', () => {
  const held = terms({ pool: poolTerms('credits'), rates: creditRates(7n) });
  const draw = (of: ReturnType<typeof meter>, units: bigint) => admit(held, of, { units, cost: units * 7n });

  test('deducts plan credits first, and only the full cost of an event (CON-E3)', () => {
    const start = meter({ planCredits: 640n, purchasedCredits: 250n, grantedCredits: 640n });
    const first = accepted(draw(start, 95n));
    expect(entriesOf(first)).toEqual([
      ['credits', 'consumption', -640n, 250n],
      ['credits', 'consumption', -25n, 225n],
    ]);
    expect(rejected(draw(first.meter, 33n))).toEqual({
      rejection: {
        code: 'insufficient_credits',
        message: "The customer doesn't have enough credits. Credits required: 231. Remaining credits: 225.",
      },
      meter: first.meter,
      alerts: [],
    });
    const last = accepted(draw(first.meter, 32n));
    expect([
      planAmountOf(last.meter.account, 'credits'),
      otherAmountOf(last.meter.account, 'credits'),
    ]).toEqual([0n, 1n]);
    expect(last.alerts).toEqual(['credits.low']);
    expect(rejectsUnit(held, last.meter)).toBe(true);
    expect(rejectsUnit(held, first.meter)).toBe(false);
  });

  test('sends one alert between two resets when a tenth of the grant remains (CON-57)', () => {
    const low = accepted(draw(meter({ planCredits: 71n, grantedCredits: 640n }), 1n));
    expect([low.alerts, amountsIn(low.meter.account, 'credits').crossed]).toEqual([['credits.low'], 1]);
    expect(accepted(draw(meter({ planCredits: 72n, grantedCredits: 640n }), 1n)).alerts).toEqual([]);
    expect(accepted(draw(meter({ planCredits: 70n, grantedCredits: 640n, crossed: 1 }), 1n)).alerts).toEqual(
      [],
    );
    expect(accepted(draw(meter({ planCredits: 70n, grantedCredits: 640n }), 10n)).alerts).toEqual([
      'credits.depleted',
    ]);
  });

  test('loses unused plan credits at the reset, and keeps purchased credits (CON-E4)', () => {
    const reset = resetPool(
      account({ planCredits: 118n, purchasedCredits: 40n, crossed: 1 }),
      'credits',
      640n,
      false,
    );
    expect(reset.expired).toBe(118n);
    expect(entriesOf(reset)).toEqual([
      ['credits', 'expiry', -118n, 40n],
      ['credits', 'reset', 640n, 680n],
    ]);
    expect(creditsAfter(reset)).toEqual([640n, 40n]);
    expect(amountsIn(reset.account, 'credits')).toMatchObject({ granted: 640n, crossed: 0 });
    expect(entriesOf(resetPool(account(), 'credits', 5n, true))).toEqual([['credits', 'grant', 5n, 5n]]);
  });

  test('is adjusted by adding purchased credits, or by deducting plan credits first, down to 0 (CON-21)', () => {
    const credits = account({ planCredits: 10n, purchasedCredits: 5n });
    const changedBy = (amount: bigint) => creditsAfter(adjustPool(credits, 'credits', amount, false, null));
    expect([changedBy(3n), changedBy(-12n), changedBy(-15n)]).toEqual([
      [10n, 8n],
      [0n, 3n],
      [0n, 0n],
    ]);
    expect(changedBy(-16n)).toBe('insufficient_credits');
  });
});

describe('the prepaid balance', () => {
  const held = terms({ pool: poolTerms('balance', true), rates: unitRates(50n) });
  const draw = (of: ReturnType<typeof meter>, cost: bigint, blocking = false) =>
    admit({ ...held, pool: poolTerms('balance', !blocking) }, of, { units: 1n, cost });

  test("can be negative if the plan doesn't block usage (CON-11, CON-E7)", () => {
    const start = meter({ balanceRate: 42_001n, lastRefillRate: 420_000n });
    expect(accepted(draw(start, 1n)).alerts).toEqual(['balance.low']);
    expect(accepted(draw(start, 42_001n)).alerts).toEqual(['balance.depleted']);
    const below = accepted(draw(start, 79_451n));
    expect([balanceOf(below.meter.account), below.alerts]).toEqual([-37_450n, ['balance.depleted']]);
    expect(accepted(draw(below.meter, 10n)).alerts).toEqual([]);
    expect(rejected(draw(start, 42_002n, true)).rejection.code).toBe('insufficient_balance');
    expect(balanceOf(accepted(draw(start, 42_001n, true)).meter.account)).toBe(0n);
  });

  test('increases with a top-up, and expires at the reset (CON-24, CON-E7)', () => {
    const lifted = topUpBalance(account({ balanceRate: -37_450n }), 100_000n, payment);
    expect(amountsIn(lifted.account, 'balance')).toMatchObject({ amount: 62_550n, lastRefill: 100_000n });
    expect(entriesOf(resetPool(lifted.account, 'balance', 420_000n, false))).toEqual([
      ['usd', 'expiry', -62_550n, 0n],
      ['usd', 'reset', 420_000n, 420_000n],
    ]);
    expect(entriesOf(resetPool(account({ balanceRate: -37_450n }), 'balance', 420_000n, false))).toEqual([
      ['usd', 'reset', 37_450n, 0n],
      ['usd', 'reset', 420_000n, 420_000n],
    ]);
  });

  test("can be adjusted, below 0 only if the plan doesn't block usage (CON-26)", () => {
    const adjusted = (balanceRate: bigint, amount: bigint, canOverdraw: boolean) => {
      const moved = adjustPool(account({ balanceRate }), 'balance', amount, canOverdraw, null);
      if ('code' in moved) return moved.code;
      const { amount: left, lastRefill } = amountsIn(moved.account, 'balance');
      return [left, lastRefill];
    };
    expect(adjusted(5n, -6n, false)).toBe('insufficient_balance');
    expect(adjusted(5n, -6n, true)).toEqual([-1n, 0n]);
    expect(adjusted(-9n, 6n, false)).toEqual([-3n, 6n]);
  });

  test("is attributed to the latest usage if it's negative (CON-27, CON-E7)", () => {
    const drawn = (featureId: string, amount: bigint) => ({ featureId, amount: -amount });
    expect(attributeDeficit(37_450n, [drawn('a', 50_000n)], 'usd')).toEqual([
      { featureId: 'a', amount: 37_450n, amountMinor: 375n },
    ]);
    expect(
      attributeDeficit(
        1_000n,
        [drawn('b', 333n), drawn('a', 333n), drawn('b', 100n), drawn('c', 900n)],
        'usd',
      ),
    ).toEqual([
      { featureId: 'c', amount: 234n, amountMinor: 2n },
      { featureId: 'b', amount: 433n, amountMinor: 4n },
      { featureId: 'a', amount: 333n, amountMinor: 4n },
    ]);
    expect(attributeDeficit(900n, [drawn('a', 500n)], 'usd')).toEqual([
      { featureId: 'a', amount: 900n, amountMinor: 9n },
    ]);
    expect(attributeDeficit(900n, [], 'usd')).toEqual([{ featureId: null, amount: 900n, amountMinor: 9n }]);
  });
});
