import { beforeEach, describe, expect, test } from 'vitest';
import type { Refill } from '../../../src/domain/rows/topup-rows.ts';
import { catalog } from './catalog.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

// Automatic top-ups of a balance with 42.00 included a month, from April 5, 2027.

const packs = [
  {
    id: 'pack',
    name: 'Small',
    asset: 'credits',
    credits: 250n,
    priceMinor: 1_900n,
    validDays: null,
    refundTakesBack: false,
    isActive: true,
    deletedAt: null,
  },
] as const;

function open(model: 'credits' | 'balance' = 'balance', method = cardThat('pays')): World {
  const made = catalog({
    id: 'cove',
    prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n }],
  });
  const world = new World(
    '2027-05-05T09:00:00Z',
    {
      ...made,
      plans: new Map([...made.plans].map(([id, plan]) => [id, { ...plan, consumptionModel: model }])),
      priceVersions: new Map(
        [...made.priceVersions].map(([id, rows]) => [
          id,
          rows.map((row) => ({ ...row, includedCredits: 640n, includedBalanceRate: 420_000n })),
        ]),
      ),
    },
    { creditPacks: packs },
  );
  world.create(null, { planId: 'cove' });
  world.pay(null, method);
  void world.sent;
  return world;
}

const consent = {
  statement: 'I agree.',
  language: 'en',
  acceptedAt: null,
  acceptedBy: 'Ada',
  reference: null,
};

const setting = {
  asset: null,
  status: 'on',
  threshold: 50_000n,
  refill: { amount: 2_000 } as Refill,
  maxPerMonth: 5,
  maxAmountPerMonth: 20_000n,
  minPause: 1,
  consent,
} as const;

const set = (world: World, changes: object = {}, now: string | null = null) =>
  world.do(now, { kind: 'auto_topup.set', subscriptionId: world.subscription.id, ...setting, ...changes });

const row = (world: World) => {
  const [found] = world.aggregate.topUps;
  if (found === undefined) throw new Error('no top-up');
  return found;
};

/** Changes the balance by an adjustment. */
const move = (world: World, amount: bigint, now: string | null = null) =>
  world.do(now, {
    kind: 'balance.adjust',
    subscriptionId: world.subscription.id,
    pool: null,
    amount,
    reason: null,
  });

const amount = (world: World, pool = 'balance') => world.aggregate.accounts[0]?.pools[pool]?.amount;
const mark = (world: World, pool = 'balance') => world.aggregate.accounts[0]?.pools[pool]?.topUp;
const due = (world: World) =>
  world.aggregate.deadlines
    .filter(({ kind }) => kind === 'auto_topup')
    .map(({ dueAt }) => dueAt.toISOString());
const attempts = (world: World) =>
  world.aggregate.topUpAttempts.map(({ status, reason, amountMinor }) => [status, reason, amountMinor]);
const topUpEvents = (world: World) => world.sent.filter((kind) => kind.startsWith('auto_topup'));

describe('an automatic top-up', () => {
  let world: World;
  beforeEach(() => {
    world = open();
  });

  test('buys when a movement leaves the account at the threshold', () => {
    expect(set(world)).toMatchObject({ kind: 'ok' });
    expect(mark(world)).toEqual({ below: '50000', waits: false, reason: null });
    expect(due(world)).toEqual([]);
    move(world, -369_999n, '2027-05-06T10:00:00Z');
    expect(due(world)).toEqual([]);
    move(world, -1n);
    expect(due(world)).toEqual(['2027-05-06T10:00:00.000Z']);
    expect(mark(world)).toEqual({ below: '50000', waits: true, reason: null });
    void world.sent;
    world.advance('2027-05-06T10:00:00Z');
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.received',
      'balance.topped_up',
      'auto_topup.succeeded',
    ]);
    expect(amount(world)).toBe('250000');
    expect(world.invoice).toMatchObject({ type: 'balance_topup', status: 'paid', total: 2_000n });
    expect(world.event('auto_topup.succeeded').data).toMatchObject({
      autoTopUpId: row(world).id,
      asset: 'usd',
      reason: null,
      nextAt: null,
      invoiceId: world.invoice.id,
      amount: 2_000,
      available: 250_000,
      usedThisMonth: { count: 1, amount: 2_000 },
    });
    expect(attempts(world)).toEqual([['succeeded', null, 2_000n]]);
    expect(mark(world)).toEqual({ below: '50000', waits: false, reason: null });
    expect(due(world)).toEqual([]);
  });

  test('buys when it is turned on below the threshold', () => {
    move(world, -400_000n, '2027-05-06T10:00:00Z');
    set(world);
    expect(due(world)).toEqual(['2027-05-06T10:00:00.000Z']);
    world.advance('2027-05-06T10:00:00Z');
    expect(amount(world)).toBe('220000');
  });

  test('closes a larger gap by purchases with the minimum pause in between', () => {
    set(world, { threshold: 190_000n });
    move(world, -420_000n, '2027-05-06T10:00:00Z');
    world.advance('2027-05-06T10:00:00Z');
    expect(amount(world)).toBe('200000');
    move(world, -200_000n, '2027-05-06T10:00:30Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.succeeded', 'auto_topup.skipped']);
    expect(world.event('auto_topup.skipped').data).toMatchObject({
      reason: 'min_pause',
      nextAt: '2027-05-06T10:01:00.000Z',
    });
    expect(due(world)).toEqual(['2027-05-06T10:01:00.000Z']);
    world.advance('2027-05-06T10:01:00Z');
    expect(amount(world)).toBe('200000');
    expect(topUpEvents(world)).toEqual(['auto_topup.succeeded']);
  });

  test('buys again a second later without a minimum pause', () => {
    set(world, { threshold: 190_000n, minPause: 0 });
    move(world, -700_000n, '2027-05-06T10:00:00Z');
    world.advance('2027-05-06T10:00:00Z');
    expect(amount(world)).toBe('-80000');
    expect(due(world)).toEqual(['2027-05-06T10:00:01.000Z']);
    expect(row(world)).toMatchObject({ reason: 'min_pause', nextAt: at('2027-05-06T10:00:01Z') });
    expect(mark(world)).toEqual({ below: '190000', waits: true, reason: 'min_pause' });
    expect(world.event('auto_topup.skipped').data).toMatchObject({
      reason: 'min_pause',
      nextAt: '2027-05-06T10:00:01.000Z',
    });
    world.advance('2027-05-06T10:01:00Z');
    expect(amount(world)).toBe('320000');
  });

  test('stops at the number of purchases of the month, reports the limit once, and continues in the next month', () => {
    set(world, { maxPerMonth: 1, minPause: 0 });
    move(world, -400_000n, '2027-05-06T10:00:00Z');
    world.advance('2027-05-06T10:00:00Z');
    move(world, -210_000n, '2027-05-07T10:00:00Z');
    world.advance('2027-05-07T10:00:00Z');
    move(world, -1n, '2027-05-08T10:00:00Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.succeeded', 'auto_topup.skipped']);
    expect(world.event('auto_topup.skipped').data).toMatchObject({
      reason: 'monthly_count',
      nextAt: '2027-06-01T00:00:00.000Z',
    });
    expect(mark(world)).toEqual({ below: '50000', waits: true, reason: 'monthly_count' });
    expect(due(world)).toEqual(['2027-06-01T00:00:00.000Z']);
    world.advance('2027-06-01T00:00:00Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.succeeded']);
  });

  test('pauses after three declines, and a new card resumes it', () => {
    world = open('balance', cardThat('pays', 'declines'));
    set(world);
    move(world, -400_000n, '2027-05-08T10:00:00Z');
    world.advance('2027-05-08T10:00:00Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.failed']);
    expect(world.event('auto_topup.failed').data).toMatchObject({
      reason: 'declined',
      attempt: 1,
      nextAt: '2027-05-08T11:00:00.000Z',
    });
    expect(world.invoice).toMatchObject({ status: 'void' });
    move(world, -1_000n, '2027-05-08T10:30:00Z');
    world.advance('2027-05-08T10:59:59Z');
    expect(topUpEvents(world)).toEqual([]);
    world.advance('2027-05-08T11:00:00Z');
    world.advance('2027-05-09T10:59:59Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.failed']);
    world.advance('2027-05-09T11:00:00Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.failed', 'auto_topup.paused']);
    expect(row(world)).toMatchObject({ status: 'paused', pausedReason: 'declined', declines: 3 });
    expect(mark(world)).toEqual({ below: null, waits: false, reason: 'declined' });
    move(world, -1_000n, '2027-05-09T12:00:00Z');
    expect(due(world)).toEqual([]);
    world.do('2027-05-10T08:00:00Z', {
      kind: 'method.update',
      subscriptionId: world.subscription.id,
      method: { ...cardThat('pays'), last4: '0007' },
      abandoned: null,
    });
    expect(topUpEvents(world)).toEqual(['auto_topup.resumed']);
    world.advance('2027-05-10T08:00:00Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.succeeded']);
    expect(world.event('auto_topup.succeeded').data).toMatchObject({
      usedThisMonth: { count: 1, amount: 2_000 },
    });
    expect(world.subscription.status).toBe('active');
  });

  test('pauses immediately if the bank requires authentication', () => {
    world = open('balance', cardThat('pays', 'asks'));
    set(world);
    move(world, -400_000n, '2027-05-08T10:00:00Z');
    world.advance('2027-05-08T10:00:00Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.failed', 'auto_topup.paused']);
    expect(row(world)).toMatchObject({ status: 'paused', pausedReason: 'action_required' });
    world.advance('2027-05-20T10:00:00Z');
    expect(topUpEvents(world)).toEqual([]);
  });

  test('starts no other attempt while the result is unknown, and counts it', () => {
    world = open('balance', cardThat('pays', 'silent'));
    set(world);
    move(world, -400_000n, '2027-05-08T10:00:00Z');
    world.advance('2027-05-08T10:00:00Z');
    expect(attempts(world)).toEqual([['processing', null, 2_000n]]);
    expect(mark(world)).toEqual({ below: '50000', waits: true, reason: null });
    move(world, -1_000n, '2027-05-13T10:00:00Z');
    expect(due(world)).toEqual([]);
    const transaction = world.aggregate.transactions.at(-1);
    world.do('2027-05-13T11:00:00Z', {
      kind: 'charge.result',
      transactionId: transaction?.id ?? '',
      result: { status: 'settled' },
    });
    expect(attempts(world)).toEqual([['succeeded', null, 2_000n]]);
    expect(amount(world)).toBe('219000');
    expect(topUpEvents(world)).toEqual(['auto_topup.succeeded']);
  });

  test('waits for another charge of the subscription', () => {
    set(world);
    world.mood = 'silent';
    world.do('2027-05-08T09:00:00Z', {
      kind: 'balance.topup',
      subscriptionId: world.subscription.id,
      amountMinor: 100n,
    });
    move(world, -400_000n, '2027-05-08T10:00:00Z');
    world.advance('2027-05-08T10:00:00Z');
    expect(world.event('auto_topup.skipped').data).toMatchObject({ reason: 'charge_in_progress' });
    world.mood = null;
    world.do('2027-05-08T11:00:00Z', {
      kind: 'charge.result',
      transactionId: world.aggregate.transactions.at(-1)?.id ?? '',
      result: { status: 'settled' },
    });
    expect(due(world)).toEqual(['2027-05-08T11:00:00.000Z']);
    world.advance('2027-05-08T11:00:00Z');
    expect(amount(world)).toBe('230000');
  });

  test('is off after its subscription ended, and after its account ended', () => {
    set(world);
    world.cancel('2027-05-08T10:00:00Z', true);
    expect(row(world)).toMatchObject({ status: 'off' });
    expect(mark(world)).toBeUndefined();
    expect(due(world)).toEqual([]);
  });

  test('keeps the purchases of the month after it was removed and set again', () => {
    set(world, { maxPerMonth: 1 });
    move(world, -400_000n, '2027-05-06T10:00:00Z');
    world.advance('2027-05-06T10:00:00Z');
    world.do('2027-05-07T10:00:00Z', {
      kind: 'auto_topup.remove',
      subscriptionId: world.subscription.id,
      autoTopUpId: row(world).id,
    });
    expect(row(world)).toMatchObject({ status: 'off', removedAt: at('2027-05-07T10:00:00Z'), consent: null });
    expect(mark(world)).toBeUndefined();
    expect(set(world, { maxPerMonth: 1, consent: null })).toMatchObject({ param: 'consent' });
    set(world, { maxPerMonth: 1 });
    move(world, -210_000n, '2027-05-08T10:00:00Z');
    world.advance('2027-05-08T10:00:00Z');
    expect(world.event('auto_topup.skipped').data).toMatchObject({ reason: 'monthly_count' });
  });

  test('needs consent for more, and none for less', () => {
    set(world);
    const again = (changes: object) => set(world, { ...changes, consent: null });
    expect(again({ refill: { amount: 2_001 } })).toMatchObject({
      code: 'validation_error',
      param: 'consent',
    });
    expectUnchanged(world);
    expect(again({ maxPerMonth: 6 })).toMatchObject({ param: 'consent' });
    expect(again({ maxAmountPerMonth: 20_001n })).toMatchObject({ param: 'consent' });
    expect(again({ minPause: 0 })).toMatchObject({ param: 'consent' });
    expect(again({ threshold: 50_001n })).toMatchObject({ param: 'consent' });
    expect(
      again({ refill: { amount: 1_900 }, maxPerMonth: 4, minPause: 5, threshold: 40_000n }),
    ).toMatchObject({
      kind: 'ok',
    });
    expect(row(world)).toMatchObject({
      refill: { amount: 1_900 },
      threshold: 40_000n,
      consent: { statement: 'I agree.', acceptedBy: 'Ada', acceptedAt: '2027-05-05T09:00:00.000Z' },
    });
    expect(again({ status: 'off' })).toMatchObject({ kind: 'ok' });
    expect(again({})).toMatchObject({ param: 'consent' });
  });

  test('rejects a consent that was given after the request', () => {
    const given = (acceptedAt: string) => set(world, { consent: { ...consent, acceptedAt: at(acceptedAt) } });
    expect(given('2027-05-05T09:00:00.001Z')).toMatchObject({
      code: 'validation_error',
      param: 'consent.acceptedAt',
    });
    expectUnchanged(world);
    expect(given('2027-05-05T09:00:00Z')).toMatchObject({ kind: 'ok' });
    expect(row(world).consent).toMatchObject({ acceptedAt: '2027-05-05T09:00:00.000Z' });
  });

  test('rejects settings that cannot work, and changes nothing', () => {
    expect(set(world, { threshold: 200_000n })).toMatchObject({ code: 'validation_error', param: 'refill' });
    expectUnchanged(world);
    expect(set(world, { maxAmountPerMonth: 1_999n })).toMatchObject({ param: 'maxAmountPerMonth' });
    expect(set(world, { refill: { creditPackId: 'pack', quantity: 1 } })).toMatchObject({ param: 'refill' });
    expect(set(world, { asset: 'eur' })).toMatchObject({ param: 'asset' });
    expect(set(world, { consent: null })).toMatchObject({ param: 'consent' });
    expect(world.aggregate.topUps).toEqual([]);
  });
});

describe('a top-up of credits', () => {
  test('buys packs', () => {
    const world = open('credits');
    set(world, { threshold: 40n, refill: { creditPackId: 'pack', quantity: 2 }, maxAmountPerMonth: 3_800n });
    move(world, -600n, '2027-05-06T10:00:00Z');
    world.advance('2027-05-06T10:00:00Z');
    expect(amount(world, 'credits')).toBe('540');
    expect(world.invoice).toMatchObject({ type: 'credit_purchase', subtotal: 3_800n });
    expect(world.linesOf(world.invoice)[0]).toMatchObject({ description: '2 × Small: 500 credits' });
    expect(world.event('credits.purchased').data).toMatchObject({ credits: 500 });
  });

  test("pauses for a day if the pack can't be purchased, and then resumes", () => {
    const world = open('credits');
    set(world, { threshold: 40n, refill: { creditPackId: 'pack', quantity: 1 } });
    world.aggregate = { ...world.aggregate, creditPacks: [] };
    move(world, -600n, '2027-05-06T10:00:00Z');
    world.advance('2027-05-06T10:00:00Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.skipped', 'auto_topup.paused']);
    expect(row(world)).toMatchObject({
      status: 'paused',
      pausedReason: 'not_sellable',
      pausedUntil: at('2027-05-07T10:00:00Z'),
    });
    world.advance('2027-05-07T10:00:00Z');
    expect(topUpEvents(world)).toEqual([]);
    world.aggregate = { ...world.aggregate, creditPacks: packs };
    world.advance('2027-05-08T10:00:00Z');
    expect(topUpEvents(world)).toEqual(['auto_topup.resumed', 'auto_topup.succeeded']);
    expect(amount(world, 'credits')).toBe('290');
  });

  test('requires consent again after the pack became more expensive', () => {
    const world = open('credits');
    set(world, { threshold: 40n, refill: { creditPackId: 'pack', quantity: 1 } });
    world.aggregate = {
      ...world.aggregate,
      creditPacks: packs.map((pack) => ({ ...pack, priceMinor: 1_901n })),
    };
    move(world, -600n, '2027-05-06T10:00:00Z');
    world.advance('2027-05-06T10:00:00Z');
    expect(world.event('auto_topup.skipped').data).toMatchObject({ reason: 'consent_outdated' });
    set(world, { threshold: 40n, refill: { creditPackId: 'pack', quantity: 1 } });
    world.advance('2027-05-06T10:00:00Z');
    expect(amount(world, 'credits')).toBe('290');
  });
});
