import { describe, expect, test } from 'vitest';
import { simplePlan } from './catalog.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

// Customer credits in the billing state. By default, the subscription costs 34.00 a month from January 31, 2027.

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

/** Returns the parts of a credit: amount = applied − reversed + revoked + expired + remaining. */
const parts = (world: World, id: string): bigint[] => {
  const credit = world.credits.find((row) => row.id === id);
  if (credit === undefined) throw new Error('no credit');
  const { amountMinor, appliedMinor, reversedMinor, revokedMinor, expiredMinor, remainingMinor } = credit;
  expect(amountMinor).toBe(appliedMinor - reversedMinor + revokedMinor + expiredMinor + remainingMinor);
  return [appliedMinor, reversedMinor, revokedMinor, remainingMinor];
};

const totals = (world: World) => {
  const { subtotal, creditApplied, total, status } = world.invoice;
  return [subtotal, creditApplied, total, status];
};

const shop = (now = '2027-01-31T10:00:00Z') => new World(now, simplePlan('monthly', 3_400n));

describe('the grant of a customer credit', () => {
  test("transfers the amount to the customer's credits without an event", () => {
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

  test('requires an expiration date in the future, and a total per currency up to the largest safe integer', () => {
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
    // Credits used by an open checkout can be returned, so they're part of the total.
    world.create(null, { planId: 'cove' });
    expect(grant(world, null, 'd', 1n)).toMatchObject({ code: 'validation_error', param: 'amount' });
    world.pay(null);
    expect(world.invoice.status).toBe('paid');
  });
});

describe('the revocation of a customer credit', () => {
  test('removes the unused amount once, without changing used and expired amounts', () => {
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

describe('a first invoice with customer credits', () => {
  test('uses the credits, and charges the difference', () => {
    const world = shop();
    grant(world, null, 'a', 900n);
    world.create(null, { planId: 'cove' });
    expect(totals(world)).toEqual([3_400n, 900n, 2_500n, 'outstanding']);
    world.pay(null);
    expect(world.aggregate.transactions.at(-1)).toMatchObject({ amountMinor: 2_500n, status: 'succeeded' });
    expect(parts(world, 'a')).toEqual([900n, 0n, 0n, 0n]);
  });

  test('stores a payment method without a transaction or `payment.received` if the credits cover the total (BIL-34)', () => {
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
      'credit.reserved',
      'credit.released',
      'invoice.issued',
      'invoice.credit_applied',
    ]);
  });

  test("doesn't use credits in another currency", () => {
    const world = shop();
    grant(world, null, 'a', 900n, null, 'eur');
    world.create(null, { planId: 'cove' });
    expect(totals(world)).toEqual([3_400n, 0n, 3_400n, 'outstanding']);
    expect(parts(world, 'a')).toEqual([0n, 0n, 0n, 900n]);
  });

  test('returns the credits before a replacement invoice uses them', () => {
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

describe('a renewal with customer credits', () => {
  const subscribed = (world: World) => {
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat('pays'));
    return world;
  };

  test('uses one credit for several invoices, and ignores an expired credit', () => {
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
      [0n, 0n, 0n, 0n],
    ]);
    expect(world.event('lot.expired').data).toMatchObject({ lotId: 'c', amount: 70_000 });
  });

  test("uses the credits that were valid at its due time, even if it's processed late", () => {
    const world = subscribed(shop());
    grant(world, null, 'a', 500n, '2027-03-01');
    world.advance('2027-02-28', '2027-03-10');
    expect(totals(world)).toEqual([3_400n, 500n, 2_900n, 'paid']);
  });

  test("returns the used credits once if the invoice is voided, but doesn't return them if the invoice is uncollectible", () => {
    const world = subscribed(shop());
    grant(world, null, 'a', 400n, '2027-03-01');
    world.mood = 'declines';
    world.advance('2027-02-28');
    expect(parts(world, 'a')).toEqual([400n, 0n, 0n, 0n]);
    world.do('2027-03-02T00:00:00Z', { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'void' });
    // The returned amount expires immediately, because the credit has expired.
    expect(parts(world, 'a')).toEqual([400n, 400n, 0n, 0n]);
    grant(world, null, 'b', 300n);
    world.advance('2027-04-10');
    expect(world.subscription.cancelReason).toBe('dunning_exhausted');
    expect(world.aggregate.invoices.at(-1)).toMatchObject({ status: 'uncollectible', creditApplied: 300n });
    expect(parts(world, 'b')).toEqual([300n, 0n, 0n, 0n]);
  });

  test('is marked as paid and written off if the remaining total is below the minimum charge (BIL-35)', () => {
    const world = subscribed(shop());
    grant(world, null, 'a', 3_360n);
    world.advance('2027-02-28');
    expect(totals(world)).toEqual([3_400n, 3_360n, 40n, 'paid']);
    expect(world.ledger.at(-1)).toMatchObject({ fact: 'invoice.below_minimum', amountMinor: 40n });
  });
});

describe('the end of a customer credit (PRM-21)', () => {
  test('removes the remaining amount at its deadline, with an entry, a ledger transfer, and an event', () => {
    const world = shop();
    grant(world, null, 'a', 5_000n, '2027-03-10');
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat('pays'));
    world.advance('2027-03-09');
    expect(parts(world, 'a')).toEqual([5_000n, 0n, 0n, 0n]);
    // Used up credits have no deadline.
    expect(world.aggregate.deadlines.some(({ kind }) => kind === 'lot_expiry')).toBe(false);
    grant(world, null, 'b', 900n, '2027-03-10');
    world.advance('2027-03-10');
    expect(world.credits.find(({ id }) => id === 'b')).toMatchObject({
      expiredMinor: 900n,
      remainingMinor: 0n,
    });
    expect(world.entries.at(-1)).toMatchObject({
      lotId: 'b',
      type: 'expiry',
      amount: -90_000n,
      resulting: 0n,
      subscriptionId: null,
    });
    expect(world.ledger.at(-1)).toMatchObject({
      fact: 'credit.expired',
      debitAccount: 'customer_credit',
      creditAccount: 'offers_given',
      amountMinor: 900n,
    });
    expect(world.event('lot.expired')).toMatchObject({
      subscriptionId: null,
      data: { subscriptionId: null, lotId: 'b', asset: 'usd', source: 'customer_credit', amount: 90_000 },
    });
  });

  test('can be changed, but not to the past', () => {
    const world = shop();
    grant(world, null, 'a', 500n, '2027-03-10');
    const setEnd = (expiresAt: string | null) =>
      world.do(null, {
        kind: 'lot.set_expiry',
        lotId: 'a',
        subscriptionId: null,
        expiresAt: expiresAt === null ? null : at(expiresAt),
      });
    expect(setEnd('2027-01-31')).toMatchObject({ code: 'validation_error', param: 'expiresAt' });
    expectUnchanged(world);
    expect(setEnd('2027-03-20')).toMatchObject({ kind: 'ok', status: 'done' });
    world.advance('2027-03-15');
    expect(parts(world, 'a')).toEqual([0n, 0n, 0n, 500n]);
    expect(setEnd(null)).toMatchObject({ kind: 'ok', status: 'done' });
    world.advance('2027-04-15');
    expect(parts(world, 'a')).toEqual([0n, 0n, 0n, 500n]);
    expect(world.aggregate.deadlines).toEqual([]);
  });

  test('is scheduled again if a voided invoice returns an amount before the end', () => {
    const world = shop();
    grant(world, null, 'a', 500n, '2027-03-10');
    world.create(null, { planId: 'cove' });
    expect(parts(world, 'a')).toEqual([500n, 0n, 0n, 0n]);
    world.cancel(null, true);
    expect(parts(world, 'a')).toEqual([500n, 500n, 0n, 500n]);
    world.advance('2027-03-10');
    expect(parts(world, 'a')).toEqual([500n, 500n, 0n, 0n]);
  });
});

test('a customer credit is revoked like a granted lot, but not after it was used up (PRM-146)', () => {
  const world = shop();
  grant(world, null, 'a', 5_000n);
  world.create(null, { planId: 'cove' });
  const revokeLot = () => world.do(null, { kind: 'lot.revoke', lotId: 'a', subscriptionId: null });
  expect(revokeLot()).toMatchObject({ kind: 'ok', status: 'done' });
  expect(parts(world, 'a')).toEqual([3_400n, 0n, 1_600n, 0n]);
  expect(revokeLot()).toMatchObject({ kind: 'rejection', code: 'not_found' });
  expectUnchanged(world);
});

test('the total credit in a currency without decimals is limited to the largest stored amount', () => {
  const world = shop();
  grant(world, null, 'a', 900_000_000_000_000n, null, 'jpy');
  expect(grant(world, null, 'b', 1n, null, 'jpy')).toMatchObject({
    code: 'validation_error',
    param: 'amount',
  });
  expectUnchanged(world);
});
