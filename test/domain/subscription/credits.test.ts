import { describe, expect, test } from 'vitest';
import { simplePlan } from './catalog.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

// Customer credits in the billing state: 34.00 a month, subscribed on 31 January 2027 by default.

const grant = (
  world: World,
  now: string | null,
  creditId: string,
  amountMinor: bigint,
  expiresAt: string | null = null,
  currency = 'usd',
) =>
  world.do(now, {
    kind: 'credit.grant',
    creditId,
    amountMinor,
    currency,
    source: 'api',
    reason: 'Sorry.',
    expiresAt: expiresAt === null ? null : at(expiresAt),
  });

const revoke = (world: World, creditId: string) => world.do(null, { kind: 'credit.revoke', creditId });

/** A credit as: amount = applied − reversed + revoked + remaining. */
const parts = (world: World, id: string): bigint[] => {
  const credit = world.aggregate.credits.find((row) => row.id === id);
  if (credit === undefined) throw new Error('no credit');
  const { amountMinor, appliedMinor, reversedMinor, revokedMinor, remainingMinor } = credit;
  expect(amountMinor).toBe(appliedMinor - reversedMinor + revokedMinor + remainingMinor);
  return [appliedMinor, reversedMinor, revokedMinor, remainingMinor];
};

const totals = (world: World) => {
  const { subtotal, creditApplied, total, status } = world.invoice;
  return [subtotal, creditApplied, total, status];
};

const shop = (now = '2027-01-31T10:00:00Z') => new World(now, simplePlan('monthly', 3_400n));

describe('a grant', () => {
  test('moves from what was given to what the customer holds, and says nothing', () => {
    const world = shop();
    expect(grant(world, null, 'a', 500n, '2027-06-01')).toEqual({
      kind: 'ok',
      status: 'done',
      subscriptionId: null,
      invoiceId: null,
    });
    expect(parts(world, 'a')).toEqual([0n, 0n, 0n, 500n]);
    expect(world.ledger).toMatchObject([
      {
        fact: 'credit.granted',
        debitAccount: 'offers_given',
        creditAccount: 'customer_credit',
        amountMinor: 500n,
        customerId: 'cus_1',
      },
    ]);
    expect(world.sent).toEqual([]);
  });

  test('must not expire immediately, and must leave the credit within what an answer can hold', () => {
    const world = shop();
    expect(grant(world, null, 'a', 1n, '2027-01-31T10:00:00.000Z')).toMatchObject({
      code: 'validation_error',
      param: 'expiresAt',
    });
    expectUnchanged(world);
    grant(world, null, 'a', 2n ** 53n - 2n);
    expect(grant(world, null, 'b', 2n)).toMatchObject({ code: 'validation_error', param: 'amount' });
    expectUnchanged(world);
    expect(grant(world, null, 'c', 2n, null, 'eur')).toMatchObject({ kind: 'ok' });
    expect(grant(world, null, 'b', 1n)).toMatchObject({ kind: 'ok' });
    // What the checkout takes could come back, so it still counts.
    world.create(null, { planId: 'cove' });
    expect(grant(world, null, 'd', 1n)).toMatchObject({ code: 'validation_error', param: 'amount' });
    world.pay(null);
    expect(world.invoice.status).toBe('paid');
  });
});

describe('a revocation', () => {
  test('takes what is left, once; what is used or expired stays as it is', () => {
    const world = shop();
    grant(world, null, 'a', 5_000n);
    grant(world, null, 'b', 100n, '2027-02-10');
    world.create(null, { planId: 'cove' });
    expect(revoke(world, 'a')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(parts(world, 'a')).toEqual([3_400n, 0n, 1_600n, 0n]);
    expect(world.ledger.at(-1)).toMatchObject({ fact: 'credit.revoked', amountMinor: 1_600n });
    expect(revoke(world, 'a')).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expectUnchanged(world);
    world.now = at('2027-02-10');
    expect(revoke(world, 'b')).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expect(parts(world, 'b')).toEqual([0n, 0n, 0n, 100n]);
    expect(revoke(world, 'none')).toMatchObject({ kind: 'rejection', code: 'not_found', param: 'creditId' });
  });
});

describe('a first invoice', () => {
  test('takes credits, and only the rest is charged', () => {
    const world = shop();
    grant(world, null, 'a', 900n);
    world.create(null, { planId: 'cove' });
    expect(totals(world)).toEqual([3_400n, 900n, 2_500n, 'outstanding']);
    world.pay(null);
    expect(world.aggregate.transactions.at(-1)).toMatchObject({ amountMinor: 2_500n, status: 'succeeded' });
    expect(parts(world, 'a')).toEqual([900n, 0n, 0n, 0n]);
  });

  test('covered by credits is paid by storing a method, without transaction and payment.received (BIL-34)', () => {
    const world = shop();
    grant(world, null, 'a', 9_000n);
    world.create(null, { planId: 'cove' });
    world.pay(null);
    expect(totals(world)).toEqual([3_400n, 3_400n, 0n, 'paid']);
    expect(world.subscription.status).toBe('active');
    expect(world.aggregate.transactions).toEqual([]);
    expect(world.sent).not.toContain('payment.received');
    expect(world.ledger.map(({ fact }) => fact)).toEqual([
      'credit.granted',
      'invoice.issued',
      'invoice.credit_applied',
    ]);
  });

  test('leaves credits of another currency alone', () => {
    const world = shop();
    grant(world, null, 'a', 900n, null, 'eur');
    world.create(null, { planId: 'cove' });
    expect(totals(world)).toEqual([3_400n, 0n, 3_400n, 'outstanding']);
    expect(parts(world, 'a')).toEqual([0n, 0n, 0n, 900n]);
  });

  test('that is replaced gives back what it took, in time for the one that replaces it', () => {
    const world = shop();
    grant(world, null, 'a', 5_000n);
    world.create(null, { planId: 'cove' });
    expect(parts(world, 'a')).toEqual([3_400n, 0n, 0n, 1_600n]);
    world.create(null, { planId: 'cove', name: 'Renamed', customTrialDays: 7 });
    expect(world.invoice.status).toBe('void');
    expect(parts(world, 'a')).toEqual([3_400n, 3_400n, 0n, 5_000n]);
    world.create(null, { planId: 'cove' });
    world.create(null, { planId: 'cove', skipTrial: true });
    expect(world.aggregate.invoices.map(({ status, creditApplied }) => [status, creditApplied])).toEqual([
      ['void', 3_400n],
      ['void', 3_400n],
      ['outstanding', 3_400n],
    ]);
    expect(parts(world, 'a')).toEqual([10_200n, 6_800n, 0n, 1_600n]);
  });
});

describe('a renewal', () => {
  const subscribed = (world: World) => {
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat('pays'));
    return world;
  };

  test('uses a credit up over several invoices and skips it once it has expired', () => {
    const world = subscribed(shop());
    grant(world, null, 'a', 5_000n);
    grant(world, null, 'b', 1_000n, '2027-04-30');
    world.advance('2027-02-28');
    expect(totals(world)).toEqual([3_400n, 3_400n, 0n, 'paid']);
    world.advance('2027-03-31');
    expect(totals(world)).toEqual([3_400n, 2_600n, 800n, 'paid']);
    expect(world.linesOf(world.invoice).map(({ creditId, amount }) => [creditId, amount])).toEqual([
      [null, 3_400n],
      ['a', -1_600n],
      ['b', -1_000n],
    ]);
    grant(world, '2027-04-01', 'c', 700n, '2027-04-30');
    world.advance('2027-04-30');
    expect(totals(world)).toEqual([3_400n, 0n, 3_400n, 'paid']);
    expect([parts(world, 'a'), parts(world, 'b'), parts(world, 'c')]).toEqual([
      [5_000n, 0n, 0n, 0n],
      [1_000n, 0n, 0n, 0n],
      [0n, 0n, 0n, 700n],
    ]);
  });

  test('that runs late uses what could be used when it was due', () => {
    const world = subscribed(shop());
    grant(world, null, 'a', 500n, '2027-03-01');
    world.advance('2027-02-28', '2027-03-10');
    expect(totals(world)).toEqual([3_400n, 500n, 2_900n, 'paid']);
  });

  test('that is voided gives back, once, what it took; one given up gives back nothing', () => {
    const world = subscribed(shop());
    grant(world, null, 'a', 400n, '2027-03-01');
    world.mood = 'declines';
    world.advance('2027-02-28');
    expect(parts(world, 'a')).toEqual([400n, 0n, 0n, 0n]);
    world.do('2027-03-02T00:00:00Z', { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'void' });
    expect(parts(world, 'a')).toEqual([400n, 400n, 0n, 400n]);
    grant(world, null, 'b', 300n);
    world.advance('2027-04-10');
    expect(world.subscription.cancelReason).toBe('dunning_exhausted');
    expect(world.aggregate.invoices.at(-1)).toMatchObject({ status: 'uncollectible', creditApplied: 300n });
    expect(parts(world, 'b')).toEqual([300n, 0n, 0n, 0n]);
  });

  test('left with less than can be charged is paid, and the rest written off (BIL-35)', () => {
    const world = subscribed(shop());
    grant(world, null, 'a', 3_360n);
    world.advance('2027-02-28');
    expect(totals(world)).toEqual([3_400n, 3_360n, 40n, 'paid']);
    expect(world.ledger.at(-1)).toMatchObject({ fact: 'invoice.below_minimum', amountMinor: 40n });
  });
});
