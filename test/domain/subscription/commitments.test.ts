import { describe, expect, test } from 'vitest';
import { unitRate } from '../../support/rates.ts';
import { catalog, termsRow } from './catalog.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

// Prepaid commitments of a metered subscription at 10.00 a month from April 5, with exports at 2.00 each (PRM-24).

const exported = termsRow('cove', 'exports', { overageEnabled: true, rate: unitRate(20_000n) });

function open(interval: 'weekly' | 'monthly' = 'monthly'): World {
  const world = new World(
    '2027-04-05T00:00:00Z',
    catalog({
      id: 'cove',
      prices: [{ id: 'p1', interval, amount: 1_000n }],
      seats: { exports: exported },
    }),
  );
  world.create(null, { planId: 'cove' });
  world.pay(null, cardThat('pays'));
  void world.sent;
  return world;
}

/** Sets the number of exports in the current window. */
function use(world: World, total: bigint): void {
  const { id, customerId, windowStart } = world.subscription;
  const row = {
    id: `${id}:exports`,
    seq: 1n,
    customerId,
    subscriptionId: id,
    featureId: 'exports',
    windowStart: windowStart ?? world.now,
    total,
    consumed: 0n,
    waived: 0n,
    price: '0',
    recorded: '0',
    held: null,
    crossed: 0,
    covered: 0n,
    meter: null,
    latestAt: null,
    level: null,
  } as const;
  world.aggregate = { ...world.aggregate, counters: [row] };
}

const buy = (world: World, changes: object = {}) =>
  world.do(null, {
    kind: 'commitment.purchase',
    subscriptionId: world.subscription.id,
    priceMinor: 12_000n,
    amount: 1_300_000n,
    asset: null,
    appliesTo: null,
    validMonths: 12,
    atEnd: 'expire',
    autoRenew: false,
    description: null,
    ...changes,
  });

const lotsOf = (world: World) => world.aggregate.lots.filter(({ source }) => source === 'commitment');
const only = (world: World) => {
  const [lot] = lotsOf(world);
  if (lot === undefined) throw new Error('no commitment');
  return lot;
};
/** Lines of the last invoice, without the base price. */
const lines = (world: World) =>
  world
    .linesOf(world.invoice)
    .filter(({ lineType }) => lineType !== 'plan_base')
    .map(({ lineType, amount }) => [lineType, amount]);
const values = (world: World) => {
  const entries = world.entries.filter(({ lotId }) => lotId === only(world).id);
  return entries.map(({ type, amount, valueMinor }) => [type, amount, valueMinor]);
};

/** Checks that the account equals its lots and its entries (PRM-141). */
function expectLaw(world: World): void {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const own = world.aggregate.lots.filter(({ subscriptionId }) => subscriptionId !== null);
  const left = sum(own.map(({ remaining }) => remaining));
  expect(world.aggregate.accounts[0]?.pools['balance']?.amount ?? '0').toBe(String(left));
  expect(sum(world.entries.map(({ amount }) => amount))).toBe(left);
}

describe('a prepaid commitment for usage lines', () => {
  test('is invoiced as a credit purchase, and becomes a lot with a term', () => {
    const world = open();
    expect(buy(world)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.invoice).toMatchObject({ type: 'credit_purchase', subtotal: 12_000n, status: 'paid' });
    expect(world.linesOf(world.invoice)).toMatchObject([
      { description: 'Prepaid commitment', amount: 12_000n, explanation: { rule: 'PRM-24' } },
    ]);
    expect(only(world)).toMatchObject({
      asset: 'usd',
      amount: 1_300_000n,
      remaining: 1_300_000n,
      paidMinor: 12_000n,
      priority: 10,
      sourceId: world.invoice.id,
      expiresAt: at('2028-04-05'),
      commitment: { appliesTo: 'usage_lines', validMonths: 12, atEnd: 'expire', autoRenew: false },
    });
    expect(world.sent).toEqual(['invoice.created', 'payment.received', 'commitment.purchased']);
    expect(world.event('commitment.purchased').data).toMatchObject({
      amount: 1_300_000,
      price: 12_000,
      invoiceId: world.invoice.id,
    });
    expectLaw(world);
  });

  test('pays usage lines before tax until its end, and states revenue and breakage (PRM-E7)', () => {
    const world = open();
    buy(world, { priceMinor: 1_200_000n, amount: 130_000_000n, validMonths: 1 });
    use(world, 2_075n);
    world.advance('2027-05-05');
    expect(lines(world)).toEqual([
      ['feature_overage', 415_000n],
      ['credit', -415_000n],
    ]);
    expect(world.linesOf(world.invoice).at(-1)).toMatchObject({
      description: 'Prepaid commitment of 2027-04-05',
      creditId: only(world).id,
      explanation: {
        rule: 'PRM-24',
        formula: 'credit',
        inputs: { remaining: '1300000', open: '415000' },
      },
    });
    expect(world.invoice).toMatchObject({ creditApplied: 415_000n, total: 1_000n, status: 'paid' });
    expect(world.ledger.filter(({ invoiceId }) => invoiceId === world.invoice.id)).toMatchObject([
      { fact: 'invoice.issued', amountMinor: 416_000n },
      { fact: 'invoice.prorated', amountMinor: 415_000n },
      { fact: 'payment.settled', amountMinor: 1_000n },
      { fact: 'funds.captured' },
    ]);
    expect(values(world)).toEqual([
      ['purchase', 130_000_000n, null],
      ['applied', -41_500_000n, 383_077n],
      ['expiry', -88_500_000n, 816_923n],
    ]);
    expect(only(world)).toMatchObject({ remaining: 0n, isOpen: false });
    expect(world.event('commitment.ended').data).toMatchObject({ reason: 'expired', remaining: 88_500_000 });
    expectLaw(world);
  });

  test('pays after credits for corrected usage, before customer credits, and never the base price', () => {
    const world = open();
    buy(world);
    world.do(null, {
      kind: 'credit.grant',
      creditId: 'crd_1',
      amountMinor: 700n,
      currency: 'usd',
      source: 'api',
      reason: 'Sorry',
      expiresAt: null,
    });
    use(world, 10n);
    const correction = {
      correctionId: 'ucr_1',
      featureName: 'Exports',
      windowStart: '2027-03-05T00:00:00.000Z',
      windowEnd: '2027-04-05T00:00:00.000Z',
      amount: '-400',
      price: '0',
      billed: '400',
    };
    world.aggregate = {
      ...world.aggregate,
      subscriptions: world.aggregate.subscriptions.map((row) => ({ ...row, corrections: [correction] })),
    };
    world.advance('2027-05-05');
    expect(lines(world)).toEqual([
      ['feature_overage', 2_000n],
      ['credit', -400n],
      ['credit', -1_600n],
      ['credit', -700n],
    ]);
    expect(world.invoice.total).toBe(300n);
    expect(only(world).remaining).toBe(1_140_000n);
    expectLaw(world);
  });

  test.each([
    ['the remaining amount', 100_000n, 20n, -1_000n, 4_000n],
    ['the usage', 1_000_000n, 20n, -4_000n, 1_000n],
  ])('pays at most %s', (_name, amount, total, credit, charged) => {
    const world = open();
    buy(world, { amount });
    use(world, total);
    world.advance('2027-05-05');
    expect(lines(world)).toEqual([
      ['feature_overage', 4_000n],
      ['credit', credit],
    ]);
    expect(world.invoice.total).toBe(charged);
    expect(only(world).isOpen).toBe(true);
  });

  test('draws on the commitment that ends first', () => {
    const world = open();
    buy(world, { amount: 100_000n });
    buy(world, { amount: 50_000n, validMonths: 2 });
    use(world, 6n);
    world.advance('2027-05-05');
    expect(lines(world)).toEqual([
      ['feature_overage', 1_200n],
      ['credit', -500n],
      ['credit', -700n],
    ]);
    expect(lotsOf(world).map(({ remaining }) => remaining)).toEqual([30_000n, 0n]);
  });

  test('gets the amount back from a voided invoice, which expires if the commitment has ended', () => {
    const world = open();
    buy(world, { validMonths: 2 });
    world.mood = 'declines';
    use(world, 10n);
    world.advance('2027-05-05');
    expect(world.invoice).toMatchObject({ status: 'outstanding', creditApplied: 2_000n });
    expect(only(world).remaining).toBe(1_100_000n);
    const invoiceId = world.invoice.id;
    world.cancel(null, true);
    expect(world.aggregate.invoices.find(({ id }) => id === invoiceId)?.status).toBe('void');
    expect(only(world).remaining).toBe(1_300_000n);
    expectLaw(world);
    world.advance('2027-06-05');
    expect(only(world)).toMatchObject({ remaining: 0n, isOpen: false });
    expect(world.event('commitment.ended').data).toMatchObject({ reason: 'subscription_canceled' });
    expectLaw(world);
  });

  test('pays the last invoice of a canceled subscription', () => {
    const world = open();
    buy(world);
    use(world, 5n);
    world.cancel('2027-04-20');
    world.advance('2027-05-05');
    expect(lines(world)).toEqual([
      ['feature_overage', 1_000n],
      ['credit', -1_000n],
    ]);
    expect(world.invoice).toMatchObject({ type: 'overage', total: 0n, status: 'paid' });
  });
});

describe('the end of a commitment', () => {
  test('continues the rest for one more term with `roll_once`', () => {
    const world = open();
    buy(world, { validMonths: 1, atEnd: 'roll_once' });
    world.advance('2027-05-05');
    expect(only(world)).toMatchObject({ remaining: 1_300_000n, isOpen: true, expiresAt: at('2027-06-05') });
    world.advance('2027-06-05');
    expect(only(world)).toMatchObject({ remaining: 0n, isOpen: false });
    expect(world.events.filter(({ kind }) => kind === 'commitment.ended')).toHaveLength(1);
    expectLaw(world);
  });

  test('purchases the commitment again with `autoRenew`, counted from the first term', () => {
    const world = open();
    world.now = at('2027-04-30T10:30:00Z');
    buy(world, { validMonths: 1, autoRenew: true });
    world.advance('2027-06-30T11:00:00.000Z');
    expect(
      lotsOf(world).map(({ isOpen, expiresAt, commitment }) => [isOpen, expiresAt, commitment?.term]),
    ).toEqual([
      [false, at('2027-05-30T10:30:00.000Z'), 1],
      [false, at('2027-06-30T10:30:00.000Z'), 2],
      [true, at('2027-07-30T10:30:00.000Z'), 3],
    ]);
    const bought = world.aggregate.invoices.filter(({ type }) => type === 'credit_purchase');
    expect(bought.map(({ total, status }) => [total, status])).toEqual([
      [12_000n, 'paid'],
      [12_000n, 'paid'],
      [12_000n, 'paid'],
    ]);
    expect(world.events.filter(({ kind }) => kind === 'commitment.ended')).toEqual([]);
    expectLaw(world);
  });

  test('ends without dunning if the renewal is declined', () => {
    const world = open();
    world.now = at('2027-04-20');
    buy(world, { validMonths: 1, autoRenew: true });
    world.advance('2027-05-19');
    world.mood = 'declines';
    world.advance('2027-05-20');
    expect(world.invoice).toMatchObject({ type: 'credit_purchase', status: 'void' });
    expect(world.subscription.status).toBe('active');
    expect(only(world).isOpen).toBe(false);
    expect(world.event('commitment.ended').data).toMatchObject({
      commitmentId: only(world).id,
      reason: 'payment_failed',
      remaining: 1_300_000,
    });
    expectLaw(world);
  });

  test('sends `commitment.ended` once if the renewal is declined and the rest stays for one more term', () => {
    const world = open();
    world.now = at('2027-04-20');
    buy(world, { validMonths: 1, atEnd: 'roll_once', autoRenew: true });
    use(world, 5n);
    world.advance('2027-05-19');
    world.mood = 'declines';
    world.advance('2027-05-20');
    expect(only(world)).toMatchObject({ remaining: 1_200_000n, isOpen: true, expiresAt: at('2027-06-20') });
    world.mood = 'pays';
    world.advance('2027-06-20');
    expect(only(world)).toMatchObject({ remaining: 0n, isOpen: false });
    const ended = world.events.filter(({ kind }) => kind === 'commitment.ended');
    expect(ended.map(({ data }) => [data['reason'], data['remaining'], data['expiresAt']])).toEqual([
      ['payment_failed', 1_200_000, '2027-05-20T00:00:00.000Z'],
    ]);
    expectLaw(world);
  });

  test('sends no `commitment.ended` for the rest of a commitment that was purchased again', () => {
    const world = open();
    world.now = at('2027-04-20');
    buy(world, { validMonths: 1, atEnd: 'roll_once', autoRenew: true });
    const { id: lotId, subscriptionId } = only(world);
    world.advance('2027-05-20');
    expect(lotsOf(world).map(({ remaining, isOpen }) => [remaining, isOpen])).toEqual([
      [1_300_000n, true],
      [1_300_000n, true],
    ]);
    const renewalId = lotsOf(world)[1]?.id ?? '';
    world.do(null, {
      kind: 'commitment.update',
      subscriptionId: subscriptionId ?? '',
      lotId: renewalId,
      autoRenew: false,
      atEnd: 'expire',
    });
    world.advance('2027-06-20');
    expect(lotsOf(world).map(({ isOpen }) => isOpen)).toEqual([false, false]);
    const ended = world.events.filter(({ kind }) => kind === 'commitment.ended');
    expect(ended.map(({ data }) => [data['commitmentId'], data['reason']])).toEqual([[renewalId, 'expired']]);
    expect(
      world.events.filter(({ kind }) => kind === 'lot.expired').map(({ data }) => data['lotId']),
    ).toEqual([lotId, renewalId]);
    expectLaw(world);
  });

  test('waits for a past-due subscription whose ended window is unbilled', () => {
    const world = open('weekly');
    buy(world, { validMonths: 1 });
    const { id: lotId, subscriptionId } = only(world);
    world.do(null, { kind: 'lot.set_expiry', lotId, subscriptionId, expiresAt: at('2027-05-03T12:00:00Z') });
    world.advance('2027-04-25');
    world.mood = 'declines';
    world.advance('2027-04-26', '2027-04-28');
    use(world, 10n);
    world.advance('2027-05-04');
    expect(world.subscription.status).toBe('past_due');
    expect(only(world)).toMatchObject({ remaining: 1_300_000n, isOpen: true });
    world.mood = 'pays';
    world.do(null, { kind: 'subscription.retry', subscriptionId: world.subscription.id });
    world.advance('2027-05-04');
    expect(lines(world)).toEqual([
      ['feature_overage', 2_000n],
      ['credit', -2_000n],
    ]);
    expect(only(world)).toMatchObject({ remaining: 0n, isOpen: false });
    expectLaw(world);
  });

  test('changes with `commitment.update` until the commitment has ended', () => {
    const world = open();
    buy(world, { validMonths: 1, autoRenew: true });
    const { id: lotId } = only(world);
    const update = (changes: object) =>
      world.do(null, {
        kind: 'commitment.update',
        subscriptionId: world.subscription.id,
        lotId,
        autoRenew: null,
        atEnd: null,
        ...changes,
      });
    expect(update({ autoRenew: false })).toMatchObject({ kind: 'ok', status: 'done' });
    expect(update({ autoRenew: false })).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expectUnchanged(world);
    world.advance('2027-05-05');
    expect(lotsOf(world)).toHaveLength(1);
    expect(update({ autoRenew: true })).toMatchObject({ code: 'not_found', param: 'id' });
    expectUnchanged(world);
  });
});

describe('invalid purchases of a commitment', () => {
  test.each([
    ['a unit that the plan has no pool of', { asset: 'credits', appliesTo: 'usage' }, 'asset'],
    ['money on a metered plan for usage', { appliesTo: 'usage' }, 'asset'],
    ['another currency', { asset: 'eur' }, 'asset'],
    ['a fraction of a cent', { amount: 1_300_050n }, 'grant'],
    ['a balance above the maximum', { amount: 9_007_199_254_740_992n * 100n }, 'grant'],
    ['a price above the maximum', { priceMinor: 900_000_000_000_001n }, 'price'],
  ])('are rejected and change nothing: %s', (_name, changes, param) => {
    const world = open();
    expect(buy(world, changes)).toMatchObject({ kind: 'rejection', code: 'validation_error', param });
    expectUnchanged(world);
  });

  test('are rejected without a payment method, and for canceled subscriptions', () => {
    const world = open();
    world.cancel(null, true);
    expect(buy(world)).toMatchObject({ kind: 'rejection', code: 'subscription_not_active' });
    expectUnchanged(world);
  });

  test('leave no lot if the charge is declined', () => {
    const world = open();
    world.mood = 'declines';
    expect(buy(world)).toMatchObject({ kind: 'rejection', code: 'charge_failed' });
    expect(world.invoice.status).toBe('void');
    expect(lotsOf(world)).toEqual([]);
  });
});
