import { describe, expect, test } from 'vitest';
import {
  amountOf,
  amountsIn,
  balanceOf,
  creditsOf,
  otherAmountOf,
  planAmountOf,
  shownAmountOf,
  withHeld,
} from '../../../src/domain/lots/account.ts';
import { adjustPool, consume, grantRaise, topUpBalance } from '../../../src/domain/lots/movements.ts';
import { byDrawOrder } from '../../../src/domain/lots/order.ts';
import type { Movement } from '../../../src/domain/lots/posting.ts';
import { resetPool } from '../../../src/domain/lots/reset.ts';
import { account, lot } from '../usage/facts.ts';

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const payment = { sourceId: 'inv_1', description: null, paidMinor: 1_000n };

/** Returns the remaining amounts of the open lots in draw order, by source. */
const remaining = ({ account: { lots } }: Pick<Movement, 'account'>) =>
  lots.map((one) => [one.source, one.remaining]);

const moved = (result: Movement | { readonly code: string }): Movement => {
  if ('code' in result) throw new Error(result.code);
  return result;
};

describe('the draw order of lots', () => {
  test('is priority, end, start, creation, with the overdraft last (PRM-20)', () => {
    const never = lot({ source: 'purchase', remaining: 1n });
    const later = lot({ source: 'purchase', remaining: 1n, expiresAt: day('2027-06-01') });
    const sooner = lot({ source: 'purchase', remaining: 1n, expiresAt: day('2027-05-01') });
    const earlier = lot({ source: 'adjustment', remaining: 1n, effectiveAt: day('2027-04-01') });
    const plan = lot({ source: 'plan', remaining: 1n });
    const overdraft = lot({ source: 'overdraft', remaining: -1n, priority: 0 });
    const unstored = { ...never, id: 'new', seq: null };
    const ordered = [plan, sooner, later, earlier, never, unstored, overdraft];
    expect(ordered.toReversed().toSorted(byDrawOrder)).toEqual(ordered);
  });

  test('skips a lot from the millisecond at which it expires, even before its deadline (PRM-21, PRM-E40)', () => {
    const promised = () => [lot({ source: 'purchase', remaining: 300n, expiresAt: day('2027-04-30') })];
    const at = (now: Date) => account({ lots: promised(), purchasedCredits: 50n, now });
    const before = at(new Date('2027-04-29T23:59:59.999Z'));
    const after = at(day('2027-04-30'));
    expect([creditsOf(before), creditsOf(after)]).toEqual([350n, 50n]);
    expect(remaining(consume(before, 'credits', 40n))).toEqual([
      ['purchase', 260n],
      ['purchase', 50n],
    ]);
    expect(remaining(consume(after, 'credits', 40n))).toEqual([
      ['purchase', 300n],
      ['purchase', 10n],
    ]);
    expect(amountsIn(consume(after, 'credits', 51n).account, 'credits').amount).toBe(299n);
  });
});

describe('amounts with open holds', () => {
  test.each([
    { held: 30n, plan: 70n, other: 50n, available: 120n },
    { held: 120n, plan: 0n, other: 30n, available: 30n },
    { held: 160n, plan: 0n, other: 0n, available: -10n },
  ])('are reserved in draw order: $held', ({ held, plan, other, available }) => {
    const holding = withHeld(account({ planCredits: 100n, purchasedCredits: 50n }), 'credits', 'ftr_1', held);
    expect([planAmountOf(holding, 'credits'), otherAmountOf(holding, 'credits')]).toEqual([plan, other]);
    expect(shownAmountOf(holding, 'credits')).toBe(plan + other);
    expect(amountOf(holding, 'credits')).toBe(available);
  });

  test('are negative only by the overdraft', () => {
    const overdrawn = withHeld(account({ balanceRate: -5n }), 'balance', 'ftr_1', 10n);
    expect([amountOf(overdrawn, 'balance'), shownAmountOf(overdrawn, 'balance')]).toEqual([-15n, -5n]);
  });

  test('leave lots of other features to a feature that cannot use the reserved lot', () => {
    const restricted = lot({
      source: 'promotion',
      remaining: 50n,
      priority: 0,
      features: ['ftr_2'],
      expiresAt: day('2027-04-20'),
    });
    const lots = account({ planCredits: 100n, lots: [restricted] });
    const amounts = (held: bigint) => {
      const holding = withHeld(lots, 'credits', 'ftr_2', held);
      return ['ftr_1', 'ftr_2'].map((feature) => amountOf(holding, 'credits', feature));
    };
    expect(amounts(0n)).toEqual([100n, 150n]);
    expect(amounts(30n)).toEqual([100n, 120n]);
    expect(amounts(80n)).toEqual([70n, 70n]);
  });
});

test('a lot for certain features is used for these features only, and first (PRM-144)', () => {
  const restricted = lot({ source: 'promotion', remaining: 30n, features: ['ftr_1'] });
  const open = lot({ source: 'promotion', remaining: 40n });
  const mixed = account({ lots: [open, restricted] });
  expect([amountOf(mixed, 'credits', 'ftr_1'), amountOf(mixed, 'credits', 'ftr_2')]).toEqual([70n, 40n]);
  expect(remaining(consume(mixed, 'credits', 35n, 'ftr_1'))).toEqual([
    ['promotion', 0n],
    ['promotion', 35n],
  ]);
  expect(remaining(consume(mixed, 'credits', 35n, 'ftr_2'))).toEqual([
    ['promotion', 30n],
    ['promotion', 5n],
  ]);
  expect(remaining(consume(mixed, 'credits', 41n, 'ftr_2'))).toEqual([
    ['promotion', 30n],
    ['promotion', 0n],
    ['overdraft', -1n],
  ]);
});

describe('an overdraft', () => {
  test('is offset by a top-up, which keeps the rest (PRM-143, PRM-E42)', () => {
    const drawn = consume(account({ balanceRate: 420_000n }), 'balance', 457_450n);
    expect(remaining(drawn)).toEqual([
      ['plan', 0n],
      ['overdraft', -37_450n],
    ]);
    const lifted = topUpBalance(drawn.account, 100_000n, payment);
    expect(remaining(lifted)).toEqual([
      ['plan', 0n],
      ['topup', 62_550n],
      ['overdraft', 0n],
    ]);
    expect(lifted.entries.map(({ type, amount, resulting }) => [type, amount, resulting])).toEqual([
      ['topup', 100_000n, 62_550n],
      ['applied', -37_450n, 25_100n],
      ['applied', 37_450n, 62_550n],
    ]);
    expect(lifted.account.lots[1]).toMatchObject({ amount: 100_000n, sourceId: 'inv_1', asset: 'usd' });
  });

  test('is offset by an increase of the included balance (CAT-49)', () => {
    const below = account({ balanceRate: -300n, grantedRate: 1_000n });
    const raised = grantRaise(below, [{ pool: 'balance' }], { balance: 1_500n });
    expect(remaining(raised)).toEqual([
      ['plan', 200n],
      ['overdraft', 0n],
    ]);
  });
});

test('a lower price returns to the lots of the window, last lot first (PRM-101, PRM-E19)', () => {
  const lots = [lot({ source: 'topup', asset: 'usd', remaining: 1_000_000n, endsWithWindow: true })];
  const drawn = consume(account({ balanceRate: 1_200_000n, lots }), 'balance', 1_500_000n);
  const back = consume(drawn.account, 'balance', -699_920n);
  expect(remaining(back)).toEqual([
    ['plan', 399_920n],
    ['topup', 1_000_000n],
  ]);
  expect(back.entries.map(({ type, amount }) => [type, amount])).toEqual([
    ['return', 300_000n],
    ['return', 399_920n],
  ]);
});

describe('a reset after a balance was billed (CON-24, SUB-45)', () => {
  const start = () => account({ balanceRate: 500n });
  const reset = (from: Movement, settledRate: bigint) =>
    resetPool(from.account, 'balance', 1_000n, false, { settled: settledRate });

  test('moves usage since the invoice to the new window', () => {
    const used = consume(start(), 'balance', 200n);
    const opened = reset(used, 500n);
    expect([balanceOf(opened.account), remaining(opened)]).toEqual([
      800n,
      [
        ['plan', 800n],
        ['overdraft', 0n],
      ],
    ]);
  });

  test('keeps a top-up since the invoice for the new window', () => {
    const opened = reset(topUpBalance(start(), 300n, payment), 500n);
    expect(remaining(opened)).toEqual([
      ['plan', 1_000n],
      ['topup', 300n],
    ]);
  });

  test('clears the billed deficit only', () => {
    const below = consume(start(), 'balance', 700n);
    const opened = reset(consume(below.account, 'balance', 50n), -200n);
    expect(remaining(opened)).toEqual([
      ['plan', 950n],
      ['overdraft', 0n],
    ]);
    const adjusted = moved(adjustPool(below.account, 'balance', 150n, true, null));
    expect(balanceOf(reset(adjusted, -200n).account)).toBe(1_150n);
  });
});

test('draws on a purchased lot have a part of its price, which add up to the price (PRM-145, PRM-E44)', () => {
  const pack = lot({ source: 'purchase', remaining: 300n, amount: 500n, paidMinor: 900n });
  const used = consume(account({ planCredits: 15n, lots: [pack] }), 'credits', 40n);
  expect(used.entries.map(({ amount, valueMinor }) => [amount, valueMinor])).toEqual([
    [-15n, null],
    [-25n, 45n],
  ]);
  const returned = consume(used.account, 'credits', -10n);
  expect(returned.entries.map(({ amount, valueMinor }) => [amount, valueMinor])).toEqual([[10n, -18n]]);
});

test('the values of all entries of a lot add up to its price for any split of its amount (PRM-145)', () => {
  for (const [amount, paidMinor, step] of [
    [500n, 900n, 7n],
    [997n, 1n, 3n],
    [3n, 1_000n, 1n],
    [1_000_000n, 333n, 123_457n],
  ] as const) {
    let moved = account({ lots: [lot({ source: 'purchase', remaining: amount, amount, paidMinor })] });
    let sum = 0n;
    while (creditsOf(moved) > 0n) {
      const cost = step < creditsOf(moved) ? step : creditsOf(moved);
      const { account: after, entries } = consume(moved, 'credits', cost);
      for (const { valueMinor } of entries) {
        expect(valueMinor).toBeGreaterThanOrEqual(0n);
        sum += valueMinor ?? 0n;
      }
      moved = after;
    }
    expect(sum).toBe(paidMinor);
  }
});
