import { describe, expect, test } from 'vitest';
import type { CreateSelection } from '../../../src/domain/subscription/state/aggregate.ts';
import { unitRate } from '../../support/rates.ts';
import { catalog, simplePlan } from './catalog.ts';
import { at, card, cardThat, expectUnchanged, World } from './world.ts';

const shop = catalog(
  { id: 'free', isFree: true },
  {
    id: 'cove',
    prices: [
      { id: 'cove_m', interval: 'monthly', amount: 3_400n },
      { id: 'cove_y', interval: 'yearly', amount: 33_600n },
      { id: 'cove_old', interval: 'weekly', amount: 900n, archivedAt: at('2026-01-01') },
    ],
    seats: {
      editors: { includedAmount: 5n, overageEnabled: true, rate: unitRate(135_000n) },
      viewers: { includedAmount: 3n },
      exports: {},
    },
  },
  { id: 'lake', prices: [{ id: 'lake_m', interval: 'monthly', amount: 4_000n, trialDays: 10 }] },
  { id: 'forever', prices: [{ id: 'once', interval: 'one_time', amount: 49_900n }] },
  { id: 'bare' },
  { id: 'dark', deletedAt: at('2026-01-01'), prices: [{ id: 'dark_m', interval: 'monthly', amount: 1n }] },
  {
    id: 'off',
    prices: [{ id: 'off_m', interval: 'monthly', amount: 1n }],
    seats: { editors: { enabled: false, unlimited: true } },
  },
);

const created = (selection: CreateSelection, now = '2027-03-09T16:20:00Z'): World => {
  const world = new World(now, shop);
  expect(world.create(null, selection)).toMatchObject({ kind: 'ok', status: 'done' });
  return world;
};

describe('the creation of a subscription (SUB-9)', () => {
  test('activates a free plan immediately, with a monthly usage window and without an invoice', () => {
    const world = created({ planCode: 'free_code', name: 'Hobby' });
    expect(world.sent).toEqual([
      'subscription.created',
      'subscription.activated',
      'state subscription_created',
      'state subscription_activated',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      priceId: null,
      billingInterval: null,
      provider: null,
      anchorDate: at('2027-03-09'),
      periodStart: at('2027-03-09'),
      periodEnd: at('2027-04-09'),
      windowStart: at('2027-03-09'),
      windowEnd: at('2027-04-09'),
      termsFrom: at('2027-03-09T16:20:00Z'),
      activatedAt: at('2027-03-09T16:20:00Z'),
    });
    expect(world.deadlines).toEqual(['2027-04-09 window_reset:sub']);
    expect(world.aggregate.invoices).toEqual([]);
    expect(world.event('subscription.activated').data).toEqual({
      subscriptionId: world.subscription.id,
      customerId: 'acme-7',
      status: 'active',
      currentPeriodStart: '2027-03-09T00:00:00.000Z',
      currentPeriodEnd: '2027-04-09T00:00:00.000Z',
      name: 'Hobby',
      invoiceId: null,
      invoiceNumber: null,
      invoiceTotal: null,
      invoiceCurrency: null,
      provider: null,
    });
  });

  test('opens a checkout for a paid plan, with an outstanding first invoice', () => {
    const world = created({ planId: 'cove' });
    expect(world.sent).toEqual([
      'subscription.created',
      'invoice.created',
      'checkout.ready',
      'state subscription_created',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'pending_payment',
      priceId: 'cove_m',
      billingInterval: 'monthly',
      checkoutInvoiceId: world.invoice.id,
    });
    expect(world.subscription).toMatchObject({
      periodStart: null,
      anchorDate: null,
      provider: 'platform',
      currency: 'usd',
      effectiveBaseMinor: 3_400n,
    });
    expect(world.invoice).toMatchObject({
      status: 'outstanding',
      type: 'recurring',
      number: 1n,
      currency: 'usd',
      subtotal: 3_400n,
      total: 3_400n,
      issueDate: at('2027-03-09'),
      dueDate: at('2027-03-09'),
      periodStart: at('2027-03-09'),
      periodEnd: at('2027-03-09'),
      planName: 'COVE',
      paidAt: null,
    });
    expect(world.linesOf(world.invoice)).toMatchObject([
      {
        position: 0,
        lineType: 'plan_base',
        chargeType: 'advance',
        description: 'COVE (monthly)',
        quantity: 1n,
        unitAmountRate: 340_000n,
        amount: 3_400n,
      },
    ]);
    expect(world.event('checkout.ready').data).toEqual({
      subscriptionId: world.subscription.id,
      customerId: 'acme-7',
      invoiceId: world.invoice.id,
      invoiceNumber: 'INV-0001',
      invoiceTotal: 3_400,
      invoiceCurrency: 'usd',
      checkoutUrl: `https://pay.test/checkout/${world.subscription.id}`,
    });
    // The invoice isn't outstanding until the checkout is paid, so no notice is due (BIL-30).
    expect(world.invoice.finalizedAt).toBeNull();
    expect(world.deadlines).toEqual([]);
    expect(world.ledger).toEqual([]);
  });

  test('can use another price by interval or price ID', () => {
    expect(created({ planId: 'cove', billingInterval: 'yearly' }).subscription).toMatchObject({
      priceId: 'cove_y',
      billingInterval: 'yearly',
    });
    expect(created({ planId: 'cove', priceId: 'cove_y' }).subscription).toMatchObject({
      priceId: 'cove_y',
      billingInterval: 'yearly',
    });
  });

  test('opens a checkout for a trial that stores a card, without an invoice', () => {
    const world = created({ planId: 'lake' });
    expect(world.sent).toEqual([
      'subscription.created',
      'trial.checkout_ready',
      'state subscription_created',
    ]);
    expect(world.subscription).toMatchObject({ status: 'pending_payment', checkoutInvoiceId: null });
    expect(world.aggregate.invoices).toEqual([]);
    expect(world.event('trial.checkout_ready').data).toMatchObject({ trialDays: 10, planName: 'LAKE' });
    expect(world.aggregate.offerApplications).toMatchObject([
      {
        source: 'custom',
        status: 'quoted',
        offerId: null,
        targetType: 'plan_price',
        targetId: 'lake_m',
        subtotalMinor: null,
        totalMinor: null,
        phases: [
          { type: 'free_trial', durationDays: 10, durationInterval: null, startsAt: null, endsAt: null },
        ],
      },
    ]);
  });

  test('sets or skips a trial on request (OFR-26)', () => {
    expect(
      created({ planId: 'cove', customTrialDays: 730 }).event('trial.checkout_ready').data['trialDays'],
    ).toBe(730);
    expect(
      created({ planId: 'lake', customTrialDays: 3 }).event('trial.checkout_ready').data['trialDays'],
    ).toBe(3);
    expect(created({ planId: 'lake', skipTrial: true }).sent).toEqual([
      'subscription.created',
      'invoice.created',
      'checkout.ready',
      'state subscription_created',
    ]);
  });

  test('bills seats above the included number with the first invoice (SUB-13)', () => {
    const world = created({ planId: 'cove', initialSeats: { editors: 8, viewers: 3 } });
    expect(world.linesOf(world.invoice)).toMatchObject([
      { lineType: 'plan_base', amount: 3_400n },
      {
        position: 1,
        lineType: 'feature_seats',
        chargeType: 'advance',
        featureName: 'EDITORS',
        quantity: 3n,
        unitAmountRate: 135_000n,
        amount: 4_050n,
      },
    ]);
    expect(world.invoice).toMatchObject({ subtotal: 7_450n, total: 7_450n });
    expect(world.subscription.initialSeats).toEqual({ editors: 8, viewers: 3 });
  });

  test('starts immediately if the start date is the current day', () => {
    expect(created({ planId: 'free', startDate: at('2027-03-09') }).subscription).toMatchObject({
      status: 'active',
      startDate: at('2027-03-09T16:20:00Z'),
    });
  });
});

describe('a subscription that starts later (SUB-10)', () => {
  const plans = simplePlan('monthly', 4_000n, { edits: { '2027-03-11': 4_400n } });

  test("is a draft without events until midnight on the start date, and then has that date's price", () => {
    const world = new World('2027-03-09T16:20:00Z', plans);
    world.create(null, { planId: 'cove', startDate: at('2027-03-12T15:00:00Z') });
    expect(world.sent).toEqual([]);
    expect(world.subscription).toMatchObject({ status: 'draft', startDate: at('2027-03-12') });
    expect(world.deadlines).toEqual(['2027-03-12 start:sub']);
    world.advance('2027-03-12T08:00:00Z');
    expect(world.sent).toEqual([
      'subscription.created',
      'invoice.created',
      'checkout.ready',
      'state subscription_created',
    ]);
    expect(world.items).toEqual([
      {
        kind: 'start',
        outcome: 'started',
        dueAt: at('2027-03-12'),
        invoiceId: world.invoice.id,
        detail: null,
      },
    ]);
    expect(world.subscription).toMatchObject({ status: 'pending_payment', startDate: at('2027-03-12') });
    expect(world.invoice).toMatchObject({ total: 4_400n, issueDate: at('2027-03-12') });
  });

  test("creates no event and never starts if it's canceled", () => {
    const world = new World('2027-03-09', plans);
    world.create(null, { planId: 'cove', startDate: at('2027-03-12') });
    expect(world.cancel('2027-03-10')).toMatchObject({ kind: 'ok' });
    world.advance('2027-04-12');
    expect(world.sent).toEqual([]);
    expect(world.subscription).toMatchObject({
      status: 'canceled',
      endDate: at('2027-03-10'),
      canceledAt: at('2027-03-10'),
      cancelReason: 'requested',
    });
    expect(world.items).toEqual([]);
  });

  test('remains a draft with a failed deadline if the plan was deleted', () => {
    const world = new World('2027-03-09', plans);
    world.create(null, { planId: 'cove', startDate: at('2027-03-12') });
    world.aggregate = { ...world.aggregate, catalog: catalog({ id: 'cove', deletedAt: at('2027-03-10') }) };
    expect(() => world.advance('2027-03-12')).toThrow('failed item: plan_not_found');
    expectUnchanged(world);
    expect(world.subscription.status).toBe('draft');
  });
});

describe('the validation of a new subscription (SUB-6, SUB-7, SUB-8)', () => {
  test.each<[string, CreateSelection, string, string | undefined]>([
    ['neither plan id nor code', {}, 'validation_error', 'planId'],
    ['both plan id and code', { planId: 'cove', planCode: 'cove_code' }, 'validation_error', 'planId'],
    [
      'two controls',
      { planId: 'cove', customTrialDays: 3, skipTrial: true },
      'validation_error',
      'skipTrial',
    ],
    ['a trial of 0 days', { planId: 'cove', customTrialDays: 0 }, 'validation_error', 'customTrialDays'],
    ['a trial of 731 days', { planId: 'cove', customTrialDays: 731 }, 'validation_error', 'customTrialDays'],
    [
      'a trial of half a day',
      { planId: 'cove', customTrialDays: 1.5 },
      'validation_error',
      'customTrialDays',
    ],
    [
      'a start date in the past',
      { planId: 'cove', startDate: at('2027-03-08T23:59:59Z') },
      'validation_error',
      'startDate',
    ],
    [
      'negative seats',
      { planId: 'cove', initialSeats: { editors: -1 } },
      'validation_error',
      'initialSeats.editors',
    ],
    ['an unknown plan', { planId: 'nope' }, 'plan_not_found', undefined],
    ['an unknown plan code', { planCode: 'cove' }, 'plan_not_found', undefined],
    ['a deleted plan', { planId: 'dark' }, 'plan_not_found', undefined],
    ['a plan without prices', { planId: 'bare' }, 'no_prices_configured', undefined],
    ['an unsold interval', { planId: 'cove', billingInterval: 'quarterly' }, 'price_not_found', undefined],
    ['an archived price', { planId: 'cove', priceId: 'cove_old' }, 'price_not_found', undefined],
    ['a price of another plan', { planId: 'cove', priceId: 'lake_m' }, 'price_not_found', undefined],
    [
      'an interval on a free plan',
      { planId: 'free', billingInterval: 'monthly' },
      'validation_error',
      'billingInterval',
    ],
    ['a price on a free plan', { planId: 'free', priceId: 'cove_m' }, 'validation_error', 'priceId'],
    [
      'trial days on a free plan',
      { planId: 'free', customTrialDays: 4 },
      'validation_error',
      'customTrialDays',
    ],
    ['skipTrial on a free plan', { planId: 'free', skipTrial: true }, 'validation_error', 'skipTrial'],
    ['an offer on a free plan', { planId: 'free', offerId: 'ofr_1' }, 'offer_not_applicable', 'offerId'],
    ['a promo code on a free plan', { planId: 'free', promoCode: 'X' }, 'offer_not_applicable', 'promoCode'],
    [
      'seats of an unknown feature',
      { planId: 'cove', initialSeats: { nope: 1 } },
      'feature_not_found',
      'initialSeats.nope',
    ],
    [
      'seats of a usage feature',
      { planId: 'cove', initialSeats: { exports: 1 } },
      'validation_error',
      'initialSeats.exports',
    ],
    [
      'seats outside the plan',
      { planId: 'lake', initialSeats: { editors: 1 } },
      'feature_not_in_plan',
      'initialSeats.editors',
    ],
    [
      'disabled seats',
      { planId: 'off', initialSeats: { editors: 1 } },
      'feature_disabled',
      'initialSeats.editors',
    ],
    [
      'seats above a hard limit',
      { planId: 'cove', initialSeats: { viewers: 4 } },
      'included_limit_reached',
      'initialSeats.viewers',
    ],
    [
      'seats precede the control',
      { planId: 'cove', initialSeats: { nope: 1 }, offerId: 'o' },
      'feature_not_found',
      'initialSeats.nope',
    ],
    ['an offer', { planId: 'cove', offerId: 'ofr_1' }, 'offer_not_found', 'offerId'],
    ['a promo code', { planId: 'cove', promoCode: 'SPRING' }, 'promo_code_not_found', 'promoCode'],
    [
      'a card promotion',
      { planId: 'cove', cardPromotionId: 'cpr_1' },
      'card_promotions_not_available',
      'cardPromotionId',
    ],
    [
      'the control precedes the provider',
      { planId: 'cove', offerId: 'o', provider: 'stripe' },
      'offer_not_found',
      'offerId',
    ],
    [
      'a provider without a connection',
      { planId: 'cove', provider: 'stripe' },
      'provider_unsupported',
      'provider',
    ],
    ['an unknown connection', { planId: 'cove', provider: 'pcn_9' }, 'provider_unsupported', 'provider'],
  ])('rejects a request with %s', (_title, selection, code, param) => {
    const world = new World('2027-03-09T16:20:00Z', shop);
    const outcome = world.create(null, selection);
    expect(outcome).toMatchObject({ kind: 'rejection', code });
    expect('param' in outcome ? outcome.param : undefined).toBe(param);
    expectUnchanged(world);
    expect(world.aggregate.subscriptions).toEqual([]);
  });

  test('returns all problems of the input together', () => {
    const world = new World('2027-03-09', shop);
    expect(world.create(null, { customTrialDays: 0, startDate: at('2020-01-01') })).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'planId' }, { field: 'customTrialDays' }, { field: 'startDate' }],
    });
  });

  test('returns the limit in the error details', () => {
    expect(
      new World('2027-03-09', shop).create(null, { planId: 'cove', initialSeats: { viewers: 4 } }),
    ).toMatchObject({
      details: { current: 0, included: 3, remaining: 3 },
    });
  });

  test.each<[string, (world: World) => void]>([
    ['draft', (world) => world.create(null, { planId: 'cove', startDate: at('2027-04-01') })],
    ['active', (world) => world.create(null, { planId: 'free' })],
    [
      'trialing',
      (world) => {
        world.create(null, { planId: 'lake' });
        world.pay(null);
      },
    ],
    [
      'past_due',
      (world) => {
        world.create(null, { planId: 'cove' });
        world.pay(null, cardThat('pays', 'declines'));
        world.advance('2027-04-09');
      },
    ],
  ])(
    'rejects the creation if the customer has another subscription with the status %s (SUB-3)',
    (status, prepare) => {
      const world = new World('2027-03-09', shop);
      prepare(world);
      expect(world.subscription.status).toBe(status);
      expect(world.create(null, { planId: 'cove' })).toMatchObject({
        kind: 'rejection',
        code: 'already_has_active_subscription',
      });
      expectUnchanged(world);
    },
  );

  test("accepts the creation if the customer's other subscription is canceled", () => {
    const world = new World('2027-03-09', shop);
    world.create(null, { planId: 'free' });
    world.cancel(null);
    expect(world.create(null, { planId: 'free' })).toMatchObject({ kind: 'ok', status: 'done' });
  });
});

describe('creating a subscription again during an open checkout (SUB-12)', () => {
  test('returns the existing subscription without changes', () => {
    const world = created({ planId: 'cove', initialSeats: { editors: 6 } });
    const { id } = world.subscription;
    const again = {
      planCode: 'cove_code',
      billingInterval: 'monthly',
      provider: 'platform',
      initialSeats: { editors: 6 },
      startDate: at('2027-03-10'),
    } as const;
    expect(world.create('2027-03-10', again)).toEqual({
      kind: 'ok',
      status: 'unchanged',
      subscriptionId: id,
      invoiceId: world.invoice.id,
    });
    expectUnchanged(world);
  });

  test.each<[string, CreateSelection]>([
    ['plan', { planId: 'lake', skipTrial: true }],
    ['interval', { planId: 'cove', billingInterval: 'yearly' }],
    ['control', { planId: 'cove', customTrialDays: 5 }],
    ['seats', { planId: 'cove', initialSeats: { editors: 1 } }],
    ['start', { planId: 'cove', startDate: at('2027-04-01') }],
  ])('replaces the subscription if the request has a different %s', (_what, selection) => {
    const world = created({ planId: 'cove' });
    const [first] = world.aggregate.subscriptions;
    expect(world.sent).toHaveLength(4);
    world.create('2027-03-10', selection);
    expect(world.sent.slice(0, 3)).toEqual([
      'invoice.voided',
      'subscription.canceled',
      'state subscription_canceled',
    ]);
    expect(world.aggregate.subscriptions[0]).toMatchObject({
      id: first?.id,
      status: 'canceled',
      cancelReason: 'replaced',
      endDate: at('2027-03-10'),
    });
    expect(world.aggregate.invoices[0]).toMatchObject({ status: 'void', number: 1n });
    expect(world.subscription.id).not.toBe(first?.id);
  });

  test('expires the quote of a replaced trial', () => {
    const world = created({ planId: 'lake' });
    world.create(null, { planId: 'cove' });
    expect(world.aggregate.offerApplications).toMatchObject([{ status: 'expired' }]);
    expect(world.sent.slice(3)).toEqual([
      'subscription.canceled',
      'state subscription_canceled',
      'subscription.created',
      'invoice.created',
      'checkout.ready',
      'state subscription_created',
    ]);
  });

  test('is rejected during a pending charge', () => {
    const world = created({ planId: 'cove' });
    world.mood = 'silent';
    expect(world.pay(null, card)).toMatchObject({ kind: 'ok', status: 'unanswered' });
    expect(world.create(null, { planId: 'lake' })).toMatchObject({
      kind: 'rejection',
      code: 'charge_in_progress',
    });
    expectUnchanged(world);
  });
});

test('a new subscription opens a checkout even for a customer with a stored payment method (SUB-11)', () => {
  const world = new World('2027-03-09', shop);
  world.create(null, { planId: 'cove' });
  world.pay(null);
  world.cancel(null, true);
  expect(world.aggregate.paymentMethods).toHaveLength(1);
  const charged = world.aggregate.transactions.length;
  world.create('2027-03-20', { planId: 'cove' });
  expect(world.subscription).toMatchObject({ status: 'pending_payment', paymentMethodId: null });
  expect(world.invoice.status).toBe('outstanding');
  expect(world.aggregate.transactions).toHaveLength(charged);
});
