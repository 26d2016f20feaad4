import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { simplePlan } from './catalog.ts';
import { at, card, cardThat, World } from './world.ts';

const trialing = (
  method = card,
  amount = 4_000n,
  trialDays = 10,
  interval: BillingInterval = 'monthly',
  edits = {},
): World => {
  const world = new World('2027-06-03T18:45:00Z', simplePlan(interval, amount, { trialDays, edits }));
  world.create(null, { planId: 'cove' });
  expect(world.sent).toHaveLength(3);
  world.pay(null, method);
  expect(world.sent).toEqual(['payment_method.attached', 'trial.started', 'state trial_started']);
  return world;
};

describe('the start of a trial (SUB-16)', () => {
  test("is the day on which the card is stored, and a ten-day trial's notice is scheduled three days before the trial ends (SUB-E7)", () => {
    const world = trialing();
    expect(world.subscription).toMatchObject({
      status: 'trialing',
      trialEndsAt: at('2027-06-13'),
      anchorDate: at('2027-06-03'),
      periodStart: at('2027-06-03'),
      periodEnd: at('2027-06-13'),
      windowEnd: at('2027-06-13'),
      activatedAt: null,
    });
    expect(world.aggregate.transactions).toEqual([]);
    expect(world.aggregate.invoices).toEqual([]);
    expect(world.deadlines).toEqual(['2027-06-10 daily_scan:sub:trial', '2027-06-13 trial_end:sub']);
    expect(world.aggregate.offerApplications).toMatchObject([
      {
        status: 'applied',
        appliedAt: at('2027-06-03T18:45:00Z'),
        phases: [{ startsAt: '2027-06-03T18:45:00.000Z', endsAt: '2027-06-13T00:00:00.000Z' }],
      },
    ]);
  });

  test('sends the notice immediately for a short trial, and sends no notice for a trial of one day', () => {
    expect(trialing(card, 1n, 2).deadlines).toEqual([
      '2027-06-04 daily_scan:sub:trial',
      '2027-06-05 trial_end:sub',
    ]);
    expect(trialing(card, 1n, 1).deadlines).toEqual(['2027-06-04 trial_end:sub']);
  });

  test('opens monthly usage windows during a long trial, and the last usage window ends with the trial', () => {
    const world = trialing(card, 4_000n, 45, 'weekly');
    expect(world.deadlines).toEqual([
      '2027-07-03 window_reset:sub',
      '2027-07-15 daily_scan:sub:trial',
      '2027-07-18 trial_end:sub',
    ]);
    world.advance('2027-07-03');
    expect(world.subscription).toMatchObject({
      windowStart: at('2027-07-03'),
      windowEnd: at('2027-07-18'),
      periodEnd: at('2027-07-18'),
    });
    expect(world.items.map(({ outcome }) => outcome)).toEqual(['reset']);
    expect(world.deadlines).toEqual(['2027-07-15 daily_scan:sub:trial', '2027-07-18 trial_end:sub']);
  });
});

describe('the end of a trial (BIL-12)', () => {
  test('charges the current price, and starts the first paid period (SUB-E7)', () => {
    const world = trialing(card, 4_000n, 10, 'monthly', { '2027-06-08': 4_400n });
    world.advance('2027-06-12');
    expect(world.sent).toEqual(['trial.will_end']);
    expect(world.event('trial.will_end')).toMatchObject({
      occurredAt: at('2027-06-10'),
      cause: `trial.will_end:${world.subscription.id}:2027-06-13`,
    });
    world.advance('2027-06-13');
    expect(world.sent).toEqual([
      'trial.expired',
      'invoice.created',
      'payment.received',
      'subscription.activated',
      'state trial_expired',
    ]);
    expect(world.event('trial.expired').data).toMatchObject({
      status: 'active',
      trialEndsAt: '2027-06-13T00:00:00.000Z',
    });
    expect(world.event('invoice.created').data).toMatchObject({ invoiceStatus: 'outstanding', total: 4_400 });
    expect(world.invoice).toMatchObject({
      type: 'recurring',
      status: 'paid',
      total: 4_400n,
      periodStart: at('2027-06-13'),
      periodEnd: at('2027-07-13'),
    });
    expect(world.subscription).toMatchObject({
      status: 'active',
      anchorDate: at('2027-06-13'),
      periodStart: at('2027-06-13'),
      periodEnd: at('2027-07-13'),
      activatedAt: at('2027-06-13'),
      effectiveBaseMinor: 4_400n,
    });
    expect(world.items).toMatchObject([
      { kind: 'trial_end', outcome: 'trial_converted', invoiceId: world.invoice.id },
    ]);
    expect(world.deadlines).toEqual(['2027-07-10 daily_scan:sub:upcoming', '2027-07-13 period_end:sub']);
  });

  test('starts dunning after a declined charge, and the successful retry is the first activation (SUB-19)', () => {
    const world = trialing(cardThat('pays', 'declines'));
    world.advance('2027-06-13');
    expect(world.sent).toEqual([
      'trial.will_end',
      'trial.expired',
      'invoice.created',
      'payment.failed',
      'subscription.past_due',
      'state past_due',
    ]);
    expect(world.event('trial.expired').data['status']).toBe('past_due');
    expect(world.event('payment.failed').data).toMatchObject({
      failureCode: 'card_declined',
      recoveryUrl: `https://pay.test/recover/${world.invoice.id}`,
    });
    expect(world.subscription).toMatchObject({
      status: 'past_due',
      periodStart: at('2027-06-13'),
      periodEnd: at('2027-07-13'),
      activatedAt: null,
    });
    expect(world.items).toMatchObject([{ outcome: 'trial_past_due', detail: 'card_declined' }]);
    world.mood = 'pays';
    world.advance('2027-06-14');
    expect(world.sent).toEqual([
      'payment.received',
      'payment.recovered',
      'subscription.activated',
      'state subscription_activated',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      activatedAt: at('2027-06-14'),
      periodStart: at('2027-06-13'),
    });
  });

  test.each([
    ['an authentication', 'asks', 'authentication_required', 1],
    ['a method', 'none', 'no_payment_method', 0],
  ])(
    'opens a checkout without dunning if the charge requires %s from the customer',
    (_what, how, code, attempts) => {
      const world = trialing(cardThat('pays', 'asks'));
      if (how === 'none') world.aggregate = { ...world.aggregate, paymentMethods: [] };
      world.advance('2027-06-13');
      expect(world.sent).toEqual([
        'trial.will_end',
        'trial.expired',
        'invoice.created',
        'payment.failed',
        'state trial_expired',
      ]);
      expect(world.event('trial.expired').data['status']).toBe('pending_payment');
      expect(world.event('payment.failed').data).toMatchObject({
        failureCode: code,
        recoveryUrl: `https://pay.test/checkout/${world.subscription.id}`,
      });
      expect(world.subscription).toMatchObject({
        status: 'pending_payment',
        checkoutInvoiceId: world.invoice.id,
        periodStart: null,
        periodEnd: null,
      });
      expect(world.aggregate.transactions).toHaveLength(attempts);
      expect(world.items).toMatchObject([{ outcome: 'trial_pending_payment', detail: code }]);
      // The invoice for the first paid period isn't outstanding until it's paid (BIL-30).
      expect(world.invoice).toMatchObject({ status: 'outstanding', finalizedAt: null });
      expect(world.deadlines).toEqual([]);

      world.pay('2027-06-20T11:00:00Z', card);
      expect(world.sent).toEqual([
        'payment_method.updated',
        'payment.received',
        'subscription.activated',
        'state subscription_activated',
      ]);
      expect(world.subscription).toMatchObject({
        status: 'active',
        anchorDate: at('2027-06-20'),
        periodEnd: at('2027-07-20'),
      });
      expect(world.invoice).toMatchObject({
        status: 'paid',
        periodStart: at('2027-06-20'),
        periodEnd: at('2027-07-20'),
      });
    },
  );

  test('issues a paid invoice without a transaction if the total is 0', () => {
    const world = trialing(card, 0n);
    world.advance('2027-06-13');
    expect(world.sent).toEqual([
      'trial.will_end',
      'trial.expired',
      'invoice.created',
      'subscription.activated',
      'state trial_expired',
    ]);
    expect(world.event('invoice.created').data).toMatchObject({ invoiceStatus: 'paid', total: 0 });
    expect(world.event('subscription.activated').data['provider']).toBeNull();
    expect(world.aggregate.transactions).toEqual([]);
    expect(world.items).toMatchObject([{ outcome: 'trial_converted' }]);
  });

  test('ends the subscription without an invoice if a cancellation is scheduled (SUB-25)', () => {
    const world = trialing();
    world.cancel('2027-06-05', false, 'too dear');
    expect(world.sent).toEqual([
      'subscription.cancellation_scheduled',
      'subscription.updated',
      'state cancellation_scheduled',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'trialing',
      cancelEffectiveAt: at('2027-06-13'),
      endDate: at('2027-06-13'),
    });
    world.advance('2027-07-13');
    expect(world.sent).toEqual([
      'trial.will_end',
      'trial.expired',
      'subscription.canceled',
      'state subscription_canceled',
    ]);
    expect(world.event('trial.expired').data['status']).toBe('canceled');
    expect(world.event('subscription.canceled').data).toMatchObject({
      canceledAt: '2027-06-05T00:00:00.000Z',
      cancelReason: 'too dear',
      endDate: '2027-06-13T00:00:00.000Z',
    });
    expect(world.aggregate.invoices).toEqual([]);
    expect(world.items).toMatchObject([{ outcome: 'canceled' }]);
    expect(world.deadlines).toEqual([]);
  });

  test('bills from the original end of the trial if the worker is late, including the next period', () => {
    const world = trialing();
    world.advance('2027-06-13', '2027-07-20T08:00:00Z');
    expect(world.invoice).toMatchObject({ periodStart: at('2027-06-13'), issueDate: at('2027-07-20') });
    world.advance('2027-07-20T08:00:00Z');
    expect(world.aggregate.invoices.map(({ periodStart, status }) => [periodStart, status])).toEqual([
      [at('2027-06-13'), 'paid'],
      [at('2027-07-13'), 'paid'],
    ]);
  });

  test('keeps the trial status until the result of a pending charge', () => {
    const world = trialing();
    world.mood = 'silent';
    world.advance('2027-06-13');
    expect(world.sent).toEqual(['trial.will_end']);
    expect(world.subscription.status).toBe('trialing');
    expect(world.aggregate.transactions).toMatchObject([{ status: 'pending' }]);
    expect(world.cancel(null)).toMatchObject({ code: 'charge_in_progress' });
    const [transaction] = world.aggregate.transactions;
    world.do('2027-06-13T02:00:00Z', {
      kind: 'charge.result',
      transactionId: transaction?.id ?? '',
      result: { status: 'settled' },
    });
    expect(world.sent).toEqual([
      'trial.expired',
      'invoice.created',
      'payment.received',
      'subscription.activated',
      'state trial_expired',
    ]);
    expect(world.subscription).toMatchObject({ status: 'active', periodStart: at('2027-06-13') });
  });
});
