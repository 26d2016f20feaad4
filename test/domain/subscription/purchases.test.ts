import { beforeEach, describe, expect, test } from 'vitest';
import { amountsIn } from '../../../src/domain/lots/account.ts';
import type { Catalog, CreditPackRow } from '../../../src/domain/pricing/catalog.ts';
import type { ConsumptionModel } from '../../../src/domain/rows/enums.ts';
import { catalog } from './catalog.ts';
import { account } from './debit-world.ts';
import { card, cardThat, customer, expectUnchanged, World } from './world.ts';

// Purchases and manual adjustments on a subscription for 34.00 a month.

const packs: CreditPackRow[] = [
  {
    id: 'pack',
    name: 'Small',
    credits: 250n,
    asset: 'credits',
    priceMinor: 1_900n,
    validDays: null,
    refundTakesBack: false,
    isActive: true,
    deletedAt: null,
  },
  {
    id: 'tiny',
    name: 'Tiny',
    credits: 3n,
    asset: 'credits',
    priceMinor: 49n,
    validDays: null,
    refundTakesBack: false,
    isActive: true,
    deletedAt: null,
  },
  {
    id: 'huge',
    name: 'Huge',
    credits: 2n ** 53n - 1n,
    asset: 'credits',
    priceMinor: 1_900n,
    validDays: null,
    refundTakesBack: false,
    isActive: true,
    deletedAt: null,
  },
  {
    id: 'off',
    name: 'Off',
    credits: 1n,
    asset: 'credits',
    priceMinor: 100n,
    validDays: null,
    refundTakesBack: false,
    isActive: false,
    deletedAt: null,
  },
  {
    id: 'gone',
    name: 'Gone',
    credits: 1n,
    asset: 'credits',
    priceMinor: 100n,
    validDays: null,
    refundTakesBack: false,
    isActive: true,
    deletedAt: new Date(0),
  },
];

/** Returns a plan with the given consumption model that includes either 640 credits or a balance of 42.00. */
function planOf(consumptionModel: ConsumptionModel, blockOnExhaustion = true, trialDays = 0): Catalog {
  const made = catalog({
    id: 'cove',
    prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n, trialDays }],
  });
  return {
    ...made,
    plans: new Map(
      [...made.plans].map(([id, plan]) => [id, { ...plan, consumptionModel, blockOnExhaustion }]),
    ),
    priceVersions: new Map(
      [...made.priceVersions].map(([id, rows]) => [
        id,
        rows.map((row) => ({ ...row, includedCredits: 640n, includedBalanceRate: 420_000n })),
      ]),
    ),
  };
}

const open = (made: Catalog, method = cardThat('pays')): World => {
  const world = new World('2027-04-05T09:00:00Z', made, { creditPacks: packs });
  world.create(null, { planId: 'cove' });
  world.pay(null, method);
  void world.sent;
  return world;
};

const pools = (world: World) => {
  const [account] = world.aggregate.accounts;
  const planCredits = world.aggregate.lots.reduce(
    (sum, { source, asset, remaining }) => (source === 'plan' && asset === 'credits' ? sum + remaining : sum),
    0n,
  );
  const of = (pool: string) => (account === undefined ? 0n : amountsIn(account, pool).amount);
  return [planCredits, of('credits') - planCredits, of('balance')];
};

const buyPack = (world: World, creditPackId = 'pack') =>
  world.do(null, { kind: 'credits.purchase', subscriptionId: world.subscription.id, creditPackId });
const topUp = (world: World, amountMinor: bigint) =>
  world.do(null, { kind: 'balance.topup', subscriptionId: world.subscription.id, amountMinor });
const adjust = (world: World, amount: bigint, pool: 'credits' | 'balance' | null = null) =>
  world.do(null, {
    kind: 'balance.adjust',
    subscriptionId: world.subscription.id,
    pool,
    amount,
    reason: 'Sorry 🌍',
  });

test('a trial with several usage windows grants the included credits once (CON-22)', () => {
  const world = open(planOf('credits', true, 45));
  adjust(world, -40n);
  world.advance('2027-05-06');
  expect(world.subscription).toMatchObject({ status: 'trialing', windowStart: new Date('2027-05-05') });
  expect(pools(world)).toEqual([600n, 0n, 0n]);
});

describe('a credit pack whose bank debit fails (INS-35)', () => {
  const unpaid = (): World => {
    const world = new World('2027-04-05T09:00:00Z', planOf('credits'), {
      creditPacks: packs,
      customer: { ...customer, country: 'US' },
    });
    world.create(null, { planId: 'cove' });
    world.pay(null, card);
    world.do(null, {
      kind: 'method.update',
      subscriptionId: world.subscription.id,
      method: account('ach_debit_is_unfunded_2227'),
      abandoned: null,
    });
    buyPack(world);
    expect(pools(world)).toEqual([640n, 0n, 0n]);
    void world.sent;
    world.advance('2027-04-09');
    return world;
  };
  const payByCard = (world: World, method = card) =>
    world.do(null, {
      kind: 'recovery.pay',
      subscriptionId: world.subscription.id,
      invoiceId: world.invoice.id,
      method,
      abandoned: null,
    });

  test('stays due, and the subscription stays active', () => {
    const world = unpaid();
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'outstanding']);
    expect(world.sent).toContain('payment.failed');
    expect(world.event('payment.failed').data).toMatchObject({ failureCode: 'R01' });
    expect(pools(world)).toEqual([640n, 0n, 0n]);
  });

  test('is granted once it is paid on its payment page, also after a declined card', () => {
    const world = unpaid();
    expect(payByCard(world, cardThat('declines'))).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
    });
    expect(world.invoice.status).toBe('outstanding');
    payByCard(world);
    expect(world.invoice.status).toBe('paid');
    expect(pools(world)).toEqual([640n, 250n, 0n]);
  });

  test('grants nothing if its invoice is voided', () => {
    const world = unpaid();
    world.do(null, { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'void' });
    expect(world.invoice.status).toBe('void');
    expect(pools(world)).toEqual([640n, 0n, 0n]);
  });
});

describe('a credit pack purchase (CON-20, CAT-46)', () => {
  let world: World;
  beforeEach(() => {
    world = open(planOf('credits'));
  });

  test("is charged, then adds credits that aren't reset with the usage window (CON-19)", () => {
    expect(buyPack(world)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(pools(world)).toEqual([640n, 250n, 0n]);
    expect(world.invoice).toMatchObject({
      type: 'credit_purchase',
      status: 'paid',
      subtotal: 1_900n,
      creditApplied: 0n,
      total: 1_900n,
    });
    expect(world.invoice.periodStart).toEqual(world.invoice.issueDate);
    expect(world.linesOf(world.invoice)).toMatchObject([
      {
        lineType: 'one_time',
        chargeType: 'standard',
        description: 'Small: 250 credits',
        quantity: 1n,
        unitAmountRate: 190_000n,
        amount: 1_900n,
      },
    ]);
    expect(world.sent).toEqual(['invoice.created', 'payment.received', 'credits.purchased']);
    expect(world.event('credits.purchased').data).toEqual({
      subscriptionId: world.subscription.id,
      customerId: 'acme-7',
      invoiceId: world.invoice.id,
      invoiceNumber: 'INV-0002',
      creditPackName: 'Small',
      credits: 250,
    });
    expect(world.last?.entries).toMatchObject([
      {
        asset: 'credits',
        type: 'purchase',
        amount: 250n,
        resulting: 890n,
        sourceId: world.invoice.id,
        description: 'Small',
      },
    ]);
    world.advance('2027-05-05');
    expect(pools(world)).toEqual([640n, 250n, 0n]);
  });

  test('uses no customer credit (BIL-18)', () => {
    world.do(null, {
      kind: 'credit.grant',
      creditId: 'c',
      amountMinor: 500n,
      currency: 'usd',
      source: 'api',
      reason: 'x',
      expiresAt: null,
    });
    buyPack(world);
    expect(world.invoice).toMatchObject({ creditApplied: 0n, total: 1_900n });
    expect(world.credits[0]).toMatchObject({ remainingMinor: 500n });
  });

  test('is written off if the price is below the minimum charge, and adds the credits (BIL-35)', () => {
    expect(buyPack(world, 'tiny')).toMatchObject({ kind: 'ok' });
    expect(world.invoice).toMatchObject({ status: 'paid', total: 49n });
    expect(world.aggregate.transactions).toHaveLength(1);
    expect(world.sent).toEqual(['invoice.created', 'credits.purchased']);
    expect(pools(world)).toEqual([640n, 3n, 0n]);
  });

  test.each([
    ['none', 'credit_pack_not_found'],
    ['off', 'credit_pack_not_found'],
    ['gone', 'credit_pack_not_found'],
    ['huge', 'validation_error'],
  ])('is rejected without changes for the credit pack "%s" with the error %s', (id, code) => {
    expect(buyPack(world, id)).toMatchObject({ kind: 'rejection', code, param: 'creditPackId' });
    expectUnchanged(world);
  });

  test.each(['metered', 'balance'] as const)('is rejected on a %s plan', (model) => {
    const other = open(planOf(model));
    expect(buyPack(other)).toMatchObject({ code: 'validation_error', param: 'creditPackId' });
    expectUnchanged(other);
  });

  test('is rejected for a past-due or canceled subscription, and accepted during a trial (SUB-2, SUB-21)', () => {
    const trial = open(planOf('credits', true, 10));
    expect(trial.subscription.status).toBe('trialing');
    expect(buyPack(trial)).toMatchObject({ kind: 'ok' });
    expect(pools(trial)).toEqual([640n, 250n, 0n]);
    expect(trial.subscription.status).toBe('trialing');
    const late = open(planOf('credits'), cardThat('pays', 'declines'));
    late.advance('2027-05-05');
    expect(late.subscription.status).toBe('past_due');
    expect(buyPack(late)).toMatchObject({ code: 'subscription_not_active' });
    expectUnchanged(late);
    world.cancel(null, true);
    expect(buyPack(world)).toMatchObject({ code: 'subscription_not_active' });
    expectUnchanged(world);
  });

  test.each([
    ['declines', 'card_declined'],
    ['asks', 'authentication_required'],
  ])('voids the invoice without other changes if the card %s: %s (BIL-22)', (later, declineCode) => {
    const world = open(planOf('credits'), cardThat('pays', later));
    const before = world.subscription;
    expect(buyPack(world)).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
      details: { declineCode },
    });
    expect(world.invoice).toMatchObject({ status: 'void', total: 1_900n });
    expect(world.aggregate.transactions.at(-1)).toMatchObject({ status: 'failed', declineCode });
    expect(world.sent).toEqual(['invoice.created', 'invoice.voided']);
    expect(world.subscription).toEqual(before);
    expect(pools(world)).toEqual([640n, 0n, 0n]);
    expect(world.deadlines.some((row) => row.includes('dunning'))).toBe(false);
  });

  test("blocks other charges while its charge's result is unknown (SUB-5)", () => {
    world.mood = 'silent';
    expect(buyPack(world)).toMatchObject({ kind: 'ok', status: 'unanswered' });
    expect(pools(world)).toEqual([640n, 0n, 0n]);
    expect(buyPack(world)).toMatchObject({ code: 'charge_in_progress' });
    expectUnchanged(world);
    const pending = world.aggregate.transactions.at(-1);
    world.do(null, {
      kind: 'charge.result',
      transactionId: pending?.id ?? '',
      result: { status: 'settled' },
    });
    expect(pools(world)).toEqual([640n, 250n, 0n]);
    expect(world.sent).toEqual(['invoice.created', 'payment.received', 'credits.purchased']);
  });

  test("is rejected if there's no stored payment method", () => {
    const bare = open(planOf('credits'));
    bare.aggregate = { ...bare.aggregate, paymentMethods: [] };
    expect(buyPack(bare)).toMatchObject({ code: 'no_payment_method' });
    expectUnchanged(bare);
  });
});

describe('a balance top-up (CON-24, CON-25)', () => {
  test('is charged and then added to the balance, and expires at the reset (CON-E7)', () => {
    const world = open(planOf('balance', false));
    adjust(world, -457_450n);
    expect(pools(world)).toEqual([0n, 0n, -37_450n]);
    expect(world.sent).toEqual(['balance.depleted', 'state balance_depleted']);
    expect(topUp(world, 1_000n)).toMatchObject({ kind: 'ok' });
    expect(pools(world)).toEqual([0n, 0n, 62_550n]);
    expect(world.invoice).toMatchObject({ type: 'balance_topup', status: 'paid', total: 1_000n });
    expect(world.sent).toEqual(['invoice.created', 'payment.received', 'balance.topped_up']);
    expect(world.event('balance.topped_up').data).toMatchObject({
      amount: 100_000,
      currency: 'usd',
      invoiceNumber: 'INV-0002',
    });
    world.advance('2027-05-05');
    expect(pools(world)).toEqual([0n, 0n, 420_000n]);
    expect(world.linesOf(world.invoice).map(({ lineType }) => lineType)).toEqual(['plan_base']);
  });

  test('is rejected on other plans, above the maximum balance, and after a declined charge', () => {
    const credits = open(planOf('credits'));
    expect(topUp(credits, 1_000n)).toMatchObject({ code: 'validation_error', param: 'amount' });
    expectUnchanged(credits);
    const world = open(planOf('balance'), cardThat('pays', 'declines'));
    expect(topUp(world, 2n ** 53n - 1n)).toMatchObject({ code: 'validation_error', param: 'amount' });
    expectUnchanged(world);
    expect(topUp(world, 1_000n)).toMatchObject({ code: 'charge_failed' });
    expect(pools(world)).toEqual([0n, 0n, 420_000n]);
    expect(world.invoice.status).toBe('void');
  });
});

describe('a manual balance adjustment (CON-21, CON-26)', () => {
  test('adds purchased credits, and deducts plan credits first', () => {
    const world = open(planOf('credits'));
    expect(adjust(world, 60n)).toMatchObject({ kind: 'ok', invoiceId: null });
    expect(pools(world)).toEqual([640n, 60n, 0n]);
    expect(world.sent).toEqual(['credits.granted']);
    expect(world.event('credits.granted').data).toMatchObject({ credits: 60, reason: 'manual_adjustment' });
    expect(world.last?.entries).toMatchObject([
      { type: 'adjustment', amount: 60n, sourceId: null, description: 'Sorry 🌍' },
    ]);
    adjust(world, -650n, 'credits');
    expect(pools(world)).toEqual([0n, 50n, 0n]);
    expect(world.sent).toEqual(['credits.low']);
    adjust(world, -1n);
    expect(world.sent).toEqual([]);
    adjust(world, -49n);
    expect(world.sent).toEqual(['credits.depleted', 'state credits_depleted']);
    expect(adjust(world, -1n)).toMatchObject({ code: 'insufficient_credits', param: 'amount' });
    expectUnchanged(world);
  });

  test("reduces a balance below 0 only if the plan doesn't block usage, and never during a trial (CON-3)", () => {
    const blocking = open(planOf('balance'));
    expect(adjust(blocking, -420_001n)).toMatchObject({ code: 'insufficient_balance', param: 'amount' });
    expectUnchanged(blocking);
    adjust(blocking, -420_000n, 'balance');
    expect(blocking.sent).toEqual(['balance.depleted', 'state balance_depleted']);
    const trial = open(planOf('balance', false, 10));
    expect(adjust(trial, -420_001n)).toMatchObject({ code: 'insufficient_balance' });
    const nonBlocking = open(planOf('balance', false));
    expect(adjust(nonBlocking, -420_001n)).toMatchObject({ kind: 'ok' });
    expect(pools(nonBlocking)).toEqual([0n, 0n, -1n]);
  });

  test("is rejected if the plan doesn't have the balance type, the maximum is exceeded, or the subscription gives no access", () => {
    const metered = open(planOf('metered'));
    expect(adjust(metered, 1n)).toMatchObject({ code: 'validation_error', param: 'type' });
    const world = open(planOf('credits'));
    expect(adjust(world, 1n, 'balance')).toMatchObject({ code: 'validation_error', param: 'type' });
    expect(adjust(world, 2n ** 53n - 1n)).toMatchObject({ code: 'validation_error', param: 'amount' });
    world.cancel(null, true);
    expect(adjust(world, 1n)).toMatchObject({ code: 'subscription_not_active' });
    expectUnchanged(world);
  });

  test('is accepted while the subscription is past due (SUB-21)', () => {
    const late = open(planOf('credits'), cardThat('pays', 'declines'));
    late.advance('2027-05-05');
    expect(late.subscription.status).toBe('past_due');
    expect(adjust(late, 5n)).toMatchObject({ kind: 'ok' });
  });
});
