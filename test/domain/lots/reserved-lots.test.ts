import { describe, expect, test } from 'vitest';
import { type Account, creditsOf, withFreed, withHeld } from '../../../src/domain/lots/account.ts';
import { closeLot, consume, removedBy, takeBack } from '../../../src/domain/lots/movements.ts';
import { type Movement, Posting } from '../../../src/domain/lots/posting.ts';
import { resetPool } from '../../../src/domain/lots/reset.ts';
import type { LotRow } from '../../../src/domain/rows/usage-rows.ts';
import { account, lot } from '../usage/facts.ts';

// Lots that end while open holds reserve a part of them (LIM-61, LIM-62).

const now = new Date('2027-05-10T00:00:00Z');
const feature = 'ftr_1';

/** An account with a lot that ends now, a lot without an end, and open holds. */
function holding(held: bigint): { readonly before: Account; readonly ending: LotRow } {
  const ending = lot({ source: 'purchase', remaining: 100n, expiresAt: new Date(now.getTime() + 1) });
  const lots = [ending, lot({ source: 'purchase', remaining: 50n })];
  return { before: withHeld(account({ lots, now }), 'credits', feature, held), ending };
}

/** Returns the account at the end of the lot. */
const later = (before: Account): Account => ({
  ...before,
  context: { ...before.context, now: new Date(now.getTime() + 1) },
});

/** Settles holds of the feature with an amount: changes the reserved amount, draws the amount, and frees the rest. */
const settle = (before: Account, held: bigint, amount: bigint): Movement => {
  const movement = consume(withHeld(before, 'credits', feature, held), 'credits', amount, feature);
  return { ...movement, account: withFreed(movement.account, 'credits') };
};

const remaining = ({ lots }: Account): bigint[] => lots.map((one) => one.remaining);

describe('a lot that ends while holds are open', () => {
  test.each([
    ['nothing', 0n, 100n, [50n], 50n],
    ['a part', 80n, 20n, [80n, 50n], 50n],
    ['everything', 100n, 0n, [100n, 50n], 50n],
    ['a part of the next lot, too', 130n, 0n, [100n, 50n], 20n],
  ] as const)('keeps the reserved amount: %s', (_title, held, removed, lots, available) => {
    const { before, ending } = holding(held);
    const ended = closeLot(later(before), ending, 'expiry');
    expect(removedBy(ended)).toBe(removed);
    expect(remaining(ended.account)).toEqual(lots);
    expect(creditsOf(ended.account)).toBe(available);
  });

  test("provides its reserved amount to settlements, and its freed amount can't be used", () => {
    const { before, ending } = holding(80n);
    const ended = closeLot(later(before), ending, 'expiry').account;
    const used = consume(ended, 'credits', 50n, feature).account;
    expect([remaining(used), creditsOf(used)]).toEqual([[80n, 0n], 0n]);
    const partly = settle(used, 30n, 50n).account;
    expect([remaining(partly), creditsOf(partly)]).toEqual([[30n, 0n], 0n]);
    const settled = settle(partly, 0n, 10n).account;
    expect([remaining(settled), creditsOf(settled)]).toEqual([[20n, 0n], 0n]);
    const held = withHeld(settled, 'credits', feature, 5n);
    expect(creditsOf(held)).toBe(-5n);
  });

  test('loses its freed amount at the next reset, and keeps the reserved amount', () => {
    const { before, ending } = holding(80n);
    const settled = settle(closeLot(later(before), ending, 'expiry').account, 30n, 10n).account;
    expect(remaining(settled)).toEqual([70n, 50n]);
    const reset = resetPool(settled, 'credits', 640n, false);
    expect(reset.entries.map(({ type, amount }) => [type, amount])).toEqual([
      ['expiry', -40n],
      ['reset', 640n],
    ]);
    expect([reset.expired, creditsOf(reset.account)]).toEqual([0n, 690n]);
    const released = withFreed(withHeld(reset.account, 'credits', feature, 0n), 'credits');
    const following = resetPool(released, 'credits', 640n, false);
    expect(following.entries.map(({ type, amount }) => [type, amount])).toEqual([
      ['expiry', -30n],
      ['expiry', -640n],
      ['reset', 640n],
    ]);
    expect(creditsOf(following.account)).toBe(690n);
    expect(following.account.pools['credits']?.endedLots).toBeUndefined();
  });
});

describe('a lot with a reserved amount', () => {
  test.each([
    ['a partial refund', (before: Account, of: LotRow) => takeBack(before, of, 60n, false), 20n],
    ['a full refund', (before: Account, of: LotRow) => takeBack(before, of, 100n, true), 20n],
    ['a revocation', (before: Account, of: LotRow) => closeLot(before, of, 'revoke'), 20n],
  ])('keeps the reserved amount after %s', (_title, end, removed) => {
    const { before, ending } = holding(80n);
    const after = end(before, ending);
    expect(removedBy(after)).toBe(removed);
    expect(creditsOf(after.account)).toBe(50n);
    const settled = settle(after.account, 0n, 80n).account;
    expect(creditsOf(settled)).toBe(50n);
  });

  test('is used by usage without a hold only if no other lot covers the usage', () => {
    const { before } = holding(80n);
    const used = consume(before, 'credits', 60n, feature).account;
    expect(remaining(used)).toEqual([80n, 10n]);
    const posting = new Posting(used);
    expect(posting.draw('credits', 95n, 'consumption', feature)).toBe(5n);
    expect(remaining(posting.account)).toEqual([0n, 0n]);
  });
});
