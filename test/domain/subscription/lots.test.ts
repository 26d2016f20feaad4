import { beforeEach, describe, expect, test } from 'vitest';
import type { CreditPackRow } from '../../../src/domain/pricing/catalog.ts';
import { catalog } from './catalog.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

// Granted and purchased lots of a subscription with 400 included credits at 34.00 a month, from April 5.

const pack: CreditPackRow = {
  id: 'pack',
  name: 'Small',
  credits: 500n,
  asset: 'credits',
  priceMinor: 900n,
  isActive: true,
  validDays: 90,
  refundTakesBack: false,
  deletedAt: null,
};

function open(): World {
  const made = catalog({ id: 'cove', prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n }] });
  const world = new World(
    '2027-04-05T09:00:00Z',
    {
      ...made,
      plans: new Map([...made.plans].map(([id, plan]) => [id, { ...plan, consumptionModel: 'credits' }])),
      priceVersions: new Map(
        [...made.priceVersions].map(([id, rows]) => [
          id,
          rows.map((row) => ({ ...row, includedCredits: 400n })),
        ]),
      ),
    },
    { creditPacks: [pack] },
  );
  world.create(null, { planId: 'cove' });
  world.pay(null, cardThat('pays'));
  void world.sent;
  return world;
}

describe('lots of a subscription', () => {
  let world: World;
  beforeEach(() => {
    world = open();
  });

  const grant = (changes: object = {}) =>
    world.do(null, {
      kind: 'lot.grant',
      subscriptionId: world.subscription.id,
      lotId: 'lot_promo',
      asset: 'credits',
      amount: 300n,
      priority: null,
      expiresAt: null,
      features: [],
      description: null,
      ...changes,
    });
  const adjust = (amount: bigint) =>
    world.do(null, {
      kind: 'balance.adjust',
      subscriptionId: world.subscription.id,
      pool: null,
      amount,
      reason: null,
    });
  const buy = () =>
    world.do(null, {
      kind: 'credits.purchase',
      subscriptionId: world.subscription.id,
      creditPackId: 'pack',
    });
  const on = (lotId: string) => ({ subscriptionId: world.subscription.id, lotId });
  const lots = () => world.aggregate.lots.map(({ source, remaining }) => [source, remaining]);
  const lotOf = (source: string) => world.aggregate.lots.find((lot) => lot.source === source);
  const lotDeadlines = () => world.deadlines.filter((text) => text.includes('lot_'));

  test('are drawn on in the order plan, grant, purchase (PRM-20, PRM-E6)', () => {
    grant({ expiresAt: at('2027-05-01') });
    buy();
    adjust(-900n);
    expect(lots()).toEqual([
      ['plan', 0n],
      ['promotion', 0n],
      ['purchase', 300n],
    ]);
    expect(adjust(-301n)).toMatchObject({ code: 'insufficient_credits' });
    expectUnchanged(world);
  });

  test('are announced 7 days before their end, and expire at their end (PRM-21)', () => {
    grant({ expiresAt: at('2027-04-30') });
    expect(world.sent).toEqual(['lot.granted']);
    expect(world.event('lot.granted').data).toMatchObject({
      lotId: 'lot_promo',
      asset: 'credits',
      source: 'promotion',
      amount: 300,
      expiresAt: '2027-04-30T00:00:00.000Z',
    });
    adjust(-450n);
    void world.sent;
    world.advance('2027-04-23');
    expect(world.sent).toEqual(['lot.expiring']);
    world.advance('2027-04-30');
    expect(world.sent).toEqual(['lot.expired']);
    expect(world.event('lot.expired').data).toMatchObject({ lotId: 'lot_promo', amount: 250 });
    expect(lotOf('promotion')).toMatchObject({ remaining: 0n, isOpen: false });
    expect(world.aggregate.accounts[0]?.pools['credits']?.amount).toBe('0');
  });

  test('expire after the number of days of their credit pack (PRM-142)', () => {
    buy();
    expect(lotOf('purchase')).toMatchObject({ expiresAt: at('2027-07-04T09:00:00Z'), remaining: 500n });
    world.advance('2027-07-05');
    expect(lotOf('purchase')).toMatchObject({ remaining: 0n, isOpen: false });
  });

  test('expire even after the subscription was canceled (PRM-147, SUB-28)', () => {
    grant({ expiresAt: at('2027-04-30') });
    world.cancel(null, true);
    expect(lotDeadlines()).toEqual([expect.stringContaining('lot_expiry')]);
    world.advance('2027-04-30');
    expect(lotOf('promotion')).toMatchObject({ remaining: 0n, isOpen: false });
    expect(lotDeadlines()).toEqual([]);
  });

  test('get a new end, which replaces the deadlines of the earlier end (PRM-21)', () => {
    grant({ expiresAt: at('2027-04-30') });
    const setEnd = (expiresAt: Date | null) =>
      world.do(null, { kind: 'lot.set_expiry', ...on('lot_promo'), expiresAt });
    setEnd(at('2027-06-15'));
    world.advance('2027-05-01');
    expect(lotOf('promotion')).toMatchObject({ remaining: 300n });
    expect(setEnd(at('2027-04-01'))).toMatchObject({ code: 'validation_error', param: 'expiresAt' });
    expectUnchanged(world);
    setEnd(null);
    expect(lotOf('promotion')).toMatchObject({ expiresAt: null });
    const plan = lotOf('plan')?.id ?? '';
    expect(world.do(null, { kind: 'lot.set_expiry', ...on(plan), expiresAt: null })).toMatchObject({
      code: 'validation_error',
      param: 'id',
    });
    expectUnchanged(world);
  });

  test('are revoked once, except purchased lots (PRM-146)', () => {
    grant();
    buy();
    const revoke = (lotId: string) => world.do(null, { kind: 'lot.revoke', ...on(lotId) });
    expect(revoke('lot_promo')).toMatchObject({ kind: 'ok' });
    expect(world.last?.entries).toMatchObject([{ type: 'revoke', amount: -300n, lotId: 'lot_promo' }]);
    expect(revoke('lot_promo')).toMatchObject({ code: 'not_found' });
    expectUnchanged(world);
    expect(revoke(lotOf('purchase')?.id ?? '')).toMatchObject({ code: 'validation_error', param: 'id' });
    expectUnchanged(world);
  });

  test.each([
    [{ expiresAt: at('2027-04-05') }, 'expiresAt'],
    [{ asset: 'usd' }, 'asset'],
    [{ amount: 2n ** 53n }, 'amount'],
  ])('cannot be granted with the input %o', (changes, param) => {
    expect(grant(changes)).toMatchObject({ code: 'validation_error', param });
    expectUnchanged(world);
  });

  const packId = 'pack';
  /** Turns on `refundTakesBack` for the pack or the organization. */
  const takesBack = (of: string): void => {
    const { creditPacks, environment } = world.aggregate;
    world.aggregate = {
      ...world.aggregate,
      creditPacks: creditPacks.map((row) => ({ ...row, refundTakesBack: of === packId })),
      environment: { ...environment, refundTakesBack: of === 'organization' },
    };
  };
  const refund = (amountMinor: bigint | null = null, refundId = `rfd_${amountMinor}`) =>
    world.do(null, {
      kind: 'transaction.refund',
      transactionId: world.aggregate.transactions.at(-1)?.id ?? '',
      refundId,
      amountMinor,
      reason: null,
    });
  const lose = () => {
    const transactionId = world.aggregate.transactions.at(-1)?.id ?? '';
    world.do(null, { kind: 'dispute.open', transactionId, reason: null });
    world.do(null, { kind: 'dispute.resolve', transactionId, outcome: 'lost' });
  };

  test.each([
    ['nothing', 'full', 300n, () => refund()],
    ['pack', 'full', 0n, () => refund()],
    ['organization', 'full', 0n, () => refund()],
    ['pack', 'half', 50n, () => refund(450n)],
    ['organization', 'half', 50n, () => refund(450n)],
    ['pack', 'partial and second partial', 0n, () => [refund(450n), refund(450n, 'rfd_rest')]],
    ['pack', 'smallest', 300n, () => refund(1n)],
    ['pack', 'second smallest', 299n, () => [refund(1n), refund(1n, 'rfd_rest')]],
    ['organization', 'lost dispute', 0n, lose],
  ])('setting of the %s: a %s refund leaves %s credits (PRM-23, PRM-E43)', (setting, _part, left, pay) => {
    takesBack(setting);
    adjust(-400n);
    buy();
    adjust(-200n);
    void world.sent;
    pay();
    expect(lotOf('purchase')).toMatchObject({ remaining: left, isOpen: left > 0n });
    expect(world.aggregate.accounts[0]?.pools['credits']?.amount).toBe(`${left}`);
    const refunds = world.events.filter(({ kind }) => kind === 'lot.refunded');
    expect(refunds.reduce((sum, { data }) => sum + Number((data as { amount: number }).amount), 0)).toBe(
      Number(300n - left),
    );
  });

  test('are removed by a refund even after the subscription was canceled, and once (PRM-23)', () => {
    takesBack(packId);
    buy();
    takesBack('nothing');
    world.cancel(null, true);
    refund();
    expect(world.last?.entries).toMatchObject([{ type: 'refund', amount: -500n }]);
    expect(world.event('lot.refunded').data).toMatchObject({ source: 'purchase', amount: 500 });
    expect(lotOf('purchase')).toMatchObject({ remaining: 0n, isOpen: false });
    expect(lotDeadlines()).toEqual([]);
  });
});
