import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { simplePlan } from './catalog.ts';
import { at, card, cardThat, expectUnchanged, World } from './world.ts';

const half = {
  id: 'half',
  seq: 1n,
  name: 'half',
  phases: [{ type: 'percentage', percentage: 5_000, durationCycles: 2, durationInterval: null }],
  startsAt: null,
  endsAt: null,
  active: true,
  deletedAt: null,
} as const;
const trial = { ...half, id: 'trial', phases: [{ type: 'free_trial', durationDays: 5 }] } as const;

const running = (
  now: string,
  method = card,
  { trialDays = 0, interval = 'monthly' as BillingInterval, amount = 3_400n } = {},
): World => {
  const world = new World(now, simplePlan(interval, amount, { trialDays }), { offers: [half, trial] });
  world.create(null, { planId: 'cove' });
  world.pay(null, method);
  expect(world.sent.length).toBeGreaterThan(0);
  return world;
};
const canceled = (now: string, method = card, options = {}): World => {
  const world = running(now, method, options);
  world.cancel(null, true, 'too dear');
  expect(world.subscription.status).toBe('canceled');
  expect(world.sent).toContain('subscription.canceled');
  return world;
};
const reactivate = (world: World, now: string | null = null, offerId: string | null = null) =>
  world.do(now, { kind: 'subscription.reactivate', subscriptionId: world.subscription.id, offerId });
const recover = (world: World, now: string | null, method = card) =>
  world.do(now, {
    kind: 'recovery.pay',
    subscriptionId: world.subscription.id,
    invoiceId: world.invoice.id,
    method,
    abandoned: null,
  });
const statuses = (world: World) =>
  world.aggregate.invoices.map(({ type, status, total }) => `${type} ${status} ${total}`);

describe('the reactivation of a canceled subscription (SUB-31)', () => {
  test('issues a new invoice at the current price, and starts a new period', () => {
    const world = canceled('2027-03-09T10:00:00Z');
    expect(reactivate(world, '2027-04-20T16:00:00Z')).toMatchObject({
      kind: 'ok',
      status: 'done',
      invoiceId: world.invoice.id,
    });
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.received',
      'subscription.reactivated',
      'state subscription_activated',
    ]);
    expect(world.aggregate.subscriptions).toHaveLength(1);
    expect(world.subscription).toMatchObject({
      status: 'active',
      anchorDate: at('2027-04-20'),
      periodStart: at('2027-04-20'),
      periodEnd: at('2027-05-20'),
      windowStart: at('2027-04-20'),
      endDate: null,
      cancelReason: null,
      canceledAt: null,
      dunningInvoiceId: null,
      dunningAttempts: 0,
    });
    expect(world.invoice).toMatchObject({
      type: 'reactivation',
      status: 'paid',
      total: 3_400n,
      periodStart: at('2027-04-20'),
      periodEnd: at('2027-05-20'),
    });
    expect(world.event('subscription.reactivated').data).toMatchObject({
      status: 'active',
      currentPeriodStart: '2027-04-20T00:00:00.000Z',
      invoiceId: world.invoice.id,
      invoiceTotal: 3_400,
      provider: 'platform',
    });
    world.advance('2027-05-20');
    expect(statuses(world)).toEqual(['recurring paid 3400', 'reactivation paid 3400', 'recurring paid 3400']);
    expect(reactivate(world)).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
    expectUnchanged(world);
  });

  test('accepts an offer that starts with this invoice, and ends the previous offer (OFR-19)', () => {
    const world = running('2027-03-09');
    world.do(null, {
      kind: 'offer.apply',
      subscriptionId: world.subscription.id,
      offerId: 'half',
      expiresAt: null,
    });
    world.cancel(null, true);
    expect(world.aggregate.offerApplications).toMatchObject([
      { status: 'applied', endedAt: at('2027-03-09') },
    ]);
    reactivate(world, '2027-03-20', 'half');
    world.advance('2027-05-20');
    expect(statuses(world).slice(1)).toEqual([
      'reactivation paid 1700',
      'recurring paid 1700',
      'recurring paid 3400',
    ]);
    expect(world.aggregate.offerApplications).toMatchObject([
      { status: 'applied', endedAt: at('2027-03-09') },
      {
        status: 'applied',
        endedAt: null,
        phases: [{ startsAt: '2027-03-20T00:00:00.000Z', endsAt: '2027-05-20T00:00:00.000Z' }],
      },
    ]);
  });

  test('grants no second trial if the first was canceled (SUB-33)', () => {
    const world = canceled('2027-03-09T10:00:00Z', card, { trialDays: 10 });
    expect(reactivate(world, '2027-03-11T10:00:00Z')).toMatchObject({ kind: 'ok' });
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.received',
      'subscription.reactivated',
      'state subscription_activated',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      trialEndsAt: at('2027-03-11T10:00:00Z'),
      periodEnd: at('2027-04-11'),
    });
    world.advance('2027-03-20');
    expect(world.sent).toEqual([]);
  });

  test('creates no payment if the total is 0', () => {
    const free = { ...half, id: 'free', phases: [{ ...half.phases[0], percentage: 10_000 }] };
    const world = canceled('2027-03-09');
    world.aggregate = { ...world.aggregate, offers: [free] };
    expect(reactivate(world, null, 'free')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual([
      'invoice.created',
      'subscription.reactivated',
      'state subscription_activated',
    ]);
    expect(world.event('subscription.reactivated').data).toMatchObject({ invoiceTotal: 0, provider: null });
  });

  test('leaves an outstanding invoice after a declined charge, which can be paid on the recovery page and is voided by another attempt (SUB-32)', () => {
    const world = canceled('2027-03-09', cardThat('pays', 'declines'));
    expect(reactivate(world, '2027-03-12')).toMatchObject({ kind: 'rejection', code: 'charge_failed' });
    expect(world.sent).toEqual(['invoice.created']);
    expect(world.subscription.status).toBe('canceled');
    expect(reactivate(world, '2027-03-13', 'half')).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
    });
    expect(world.sent).toEqual(['invoice.voided', 'invoice.created']);
    expect(statuses(world)).toEqual([
      'recurring paid 3400',
      'reactivation void 3400',
      'reactivation outstanding 1700',
    ]);

    expect(recover(world, '2027-03-14', cardThat('declines'))).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
    });
    expect(world.sent).toEqual([]);
    expect(world.aggregate.paymentMethods).toHaveLength(1);
    expect(recover(world, '2027-03-14T09:00:00Z')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual([
      'payment_method.updated',
      'payment.received',
      'subscription.reactivated',
      'state subscription_activated',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      periodStart: at('2027-03-14'),
      paymentMethodId: world.aggregate.paymentMethods[1]?.id,
      pendingCheckout: null,
    });
    expect(world.aggregate.offerApplications).toMatchObject([{ offerId: 'half', status: 'applied' }]);
    expect(recover(world, null)).toMatchObject({ kind: 'rejection', code: 'no_outstanding_invoice' });
    expectUnchanged(world);
  });

  test.each<[string, (world: World) => void, string]>([
    [
      'another subscription is active',
      (world) => {
        world.create(null, { planId: 'cove' });
        world.pay(null);
      },
      'already_has_active_subscription',
    ],
    [
      'the plan is deleted',
      (world) => {
        const [[id, plan] = []] = [...world.aggregate.catalog.plans];
        if (id === undefined || plan === undefined) throw new Error('no plan');
        const plans = new Map([[id, { ...plan, deletedAt: world.now }]]);
        world.aggregate = { ...world.aggregate, catalog: { ...world.aggregate.catalog, plans } };
      },
      'plan_unavailable',
    ],
  ])('is rejected if %s', (_name, turn, code) => {
    const world = canceled('2027-03-09');
    const { id: subscriptionId } = world.subscription;
    turn(world);
    expect(world.do(null, { kind: 'subscription.reactivate', subscriptionId, offerId: null })).toMatchObject({
      kind: 'rejection',
      code,
    });
    expectUnchanged(world);
  });

  test('is rejected before the first activation, and for an offer with a trial', () => {
    const world = new World('2027-03-09', simplePlan('monthly', 3_400n), { offers: [trial] });
    world.create(null, { planId: 'cove' });
    world.cancel(null);
    expect(reactivate(world)).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
    expectUnchanged(world);
    const begun = canceled('2027-03-09');
    expect(reactivate(begun, null, 'trial')).toMatchObject({
      code: 'offer_not_applicable',
      details: { reason: 'free_trial' },
    });
    expectUnchanged(begun);
  });

  test("replaces the customer's open checkout", () => {
    const world = canceled('2027-03-09');
    const { id: subscriptionId } = world.subscription;
    world.create(null, { planId: 'cove' });
    world.do(null, { kind: 'subscription.reactivate', subscriptionId, offerId: null });
    expect(
      world.aggregate.subscriptions.map(({ status, cancelReason }) => `${status} ${cancelReason}`),
    ).toEqual(['active null', 'canceled replaced']);
  });
});

describe('manual collection for a past-due subscription (SUB-30, BIL-42)', () => {
  const pastDue = (): World => {
    const world = running('2027-03-09', cardThat('pays', 'declines'));
    world.advance('2027-04-09');
    expect(world.sent).toContain('subscription.past_due');
    return world;
  };

  test("uses up a retry if it's declined, and ends dunning in the same period if it's paid", () => {
    const world = pastDue();
    expect(reactivate(world, '2027-04-09T10:00:00Z')).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
    });
    expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 1 });
    expect(reactivate(world, null, 'half')).toMatchObject({
      kind: 'rejection',
      code: 'offer_not_applicable',
    });
    expectUnchanged(world);
    world.mood = 'pays';
    expect(reactivate(world)).toMatchObject({ kind: 'ok' });
    expect(world.sent).toEqual(['payment.received', 'payment.recovered', 'state subscription_activated']);
    expect(world.subscription).toMatchObject({
      status: 'active',
      anchorDate: at('2027-03-09'),
      periodEnd: at('2027-05-09'),
    });
  });

  test('replaces the card after a payment on the recovery page', () => {
    const world = pastDue();
    expect(recover(world, '2027-04-10', cardThat('declines'))).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
    });
    expect(world.subscription).toMatchObject({ dunningAttempts: 0, pendingCheckout: null });
    expect(recover(world, null)).toMatchObject({ kind: 'ok' });
    expect(world.sent).toEqual([
      'payment_method.updated',
      'payment.received',
      'payment.recovered',
      'state subscription_activated',
    ]);
    world.advance('2027-05-09');
    expect(world.invoice).toMatchObject({ type: 'recurring', status: 'paid' });
  });
});

describe('the replacement of a payment method (SUB-36)', () => {
  const update = (world: World, method = card) =>
    world.do(null, { kind: 'method.update', subscriptionId: world.subscription.id, method, abandoned: null });

  test('charges nothing, and the next charge uses the new payment method', () => {
    const world = running('2027-03-09', cardThat('pays', 'declines'));
    expect(update(world)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual(['payment_method.updated']);
    expect(world.aggregate.transactions).toHaveLength(1);
    world.advance('2027-04-09');
    expect(world.subscription.status).toBe('active');
  });

  test('keeps the old payment method if the new payment method is declined, and blocks other requests while the result is pending', () => {
    const world = running('2027-03-09');
    const { paymentMethodId } = world.subscription;
    expect(update(world, cardThat('declines'))).toMatchObject({ kind: 'rejection', code: 'charge_failed' });
    expect(world.subscription).toMatchObject({ paymentMethodId, pendingCheckout: null });
    expect(world.sent).toEqual([]);
    update(world, cardThat('silent'));
    expect(update(world)).toMatchObject({ kind: 'rejection', code: 'charge_in_progress' });
    expectUnchanged(world);
  });
});

test("a price's introductory offer applies to new subscriptions but not to reactivations (SUB-34)", () => {
  const world = new World('2027-03-09', simplePlan('monthly', 3_400n, { introductoryOfferId: 'half' }), {
    offers: [half],
  });
  world.create(null, { planId: 'cove' });
  world.pay(null);
  // 34.00 minus 50%.
  expect(world.invoice.total).toBe(1_700n);
  world.cancel(null, true);
  reactivate(world, '2027-04-20');
  expect(world.invoice).toMatchObject({ type: 'reactivation', status: 'paid', total: 3_400n });
  expect(world.aggregate.offerApplications.map(({ source }) => source)).toEqual(['introductory']);
});
